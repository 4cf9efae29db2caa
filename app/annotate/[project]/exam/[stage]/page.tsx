import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ButtonLink } from '@/app/_ui/button';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { looksLikeId } from '@/lib/auth';
import { pageProject } from '@/lib/auth/page';
import { type ExamOffer, examOffer } from '@/lib/crowd/worker';
import { TesseraError } from '@/lib/errors';
import { formatCount, formatDateTime, formatDuration, formatMoney, formatPercent } from '@/lib/format';
import { MeasureBars, measureWords } from '../../../_score/measure-bars';
import { StartButton } from '../../../start/start-button';

export const metadata: Metadata = { title: 'Exam' };

export default async function ExamPage({ params }: PageProps<'/annotate/[project]/exam/[stage]'>) {
  const { project: slug, stage: stageId } = await params;
  const { project, actor } = await pageProject(slug, 'work.read');
  if (!looksLikeId(stageId)) notFound();
  const exam = await examOffer(database(), actor, { projectId: project.id, stageId }).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'not-found') notFound();
    throw error;
  });
  return (
    <>
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">Exam: {exam.stage.name}</h1>
        <p className="text-ink-2">{project.name}</p>
      </header>
      <p className="max-w-prose">
        The exam is like the work: {formatCount(exam.items, ...itemWords(exam))} whose answer we know. It
        shows that you and we mean the same by the instructions. When you pass, the work of this stage opens
        to you at once.
      </p>
      <Facts exam={exam} />
      <Actions exam={exam} slug={project.slug} name={`${project.name}, ${exam.stage.name}`} />
      {exam.results.map((result) => (
        <Panel
          key={result.attempt}
          title={
            <State state={result.passed ? 'passed' : 'not passed'} tone={result.passed ? 'good' : 'warn'}>
              Attempt {result.attempt}: {result.passed ? 'passed' : 'not passed'}
            </State>
          }
          description={`${formatDateTime(result.at)} UTC`}
        >
          <MeasureBars measures={result.measures} />
        </Panel>
      ))}
    </>
  );
}

const itemWords = (exam: ExamOffer): [string, string] =>
  exam.stage.kind === 'attributes' ? ['picture', 'pictures'] : ['outline', 'outlines'];

function Facts({ exam }: { exam: ExamOffer }) {
  const bar = exam.bars
    .map(({ name, bar }, i) => {
      const { title } = measureWords[name];
      return `${i === 0 ? title : title.toLowerCase()} of at least ${formatPercent(bar, 0)}`;
    })
    .join(' and ');
  const tries =
    exam.attempts === 1
      ? 'one attempt'
      : `${exam.attempts} attempts${exam.waitHours > 0 ? `, ${formatDuration(exam.waitHours * 3600)} apart` : ''}`;
  return (
    <Panel title="What it takes">
      <DefinitionList
        items={[
          { term: 'Bar', value: bar },
          ...exam.bars.map((entry) => ({
            term: measureWords[entry.name].title,
            value: <span className="text-ink-2">{measureWords[entry.name].meaning}</span>,
          })),
          {
            term: 'Pay',
            value: `${formatMoney(exam.pay.amountMicro, exam.pay.currency)}, whether you pass or not`,
          },
          { term: 'Attempts', value: `${tries}; ${exam.attemptsLeft} left for you` },
          {
            term: 'Practice',
            value:
              exam.practice.items > 0
                ? `up to ${formatCount(exam.practice.items, ...itemWords(exam))} with the right answer shown after each; not scored and not paid`
                : 'none',
          },
        ]}
      />
    </Panel>
  );
}

function Actions({ exam, slug, name }: { exam: ExamOffer; slug: string; name: string }) {
  const { gate, openBatch, practice, stage } = exam;
  if (openBatch) return <StartButton stageId={stage.id} name={name} kind="work" label="Continue" />;
  if (exam.hasPassed) {
    return (
      <div className="flex flex-wrap gap-3">
        <StartButton stageId={stage.id} name={name} kind="work" label="Start" />
        <Back />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {gate && <p className="max-w-prose text-ink-2">{gate.says}</p>}
      <div className="flex flex-wrap gap-3">
        {gate?.gate === 'consent' && (
          <ButtonLink href={`/annotate/${slug}/consent`} variant="primary" size="large">
            Read and agree
          </ButtonLink>
        )}
        {!gate && <StartButton stageId={stage.id} name={name} kind="exam" label="Take the exam" />}
        {practice.isOpen && (
          <StartButton stageId={stage.id} name={name} kind="practice" label="Practise" variant="secondary" />
        )}
        <ButtonLink href={`/annotate/${slug}/guide`} size="large" variant="quiet">
          Read the guide
        </ButtonLink>
        <Back />
      </div>
    </div>
  );
}

const Back = () => (
  <ButtonLink href="/annotate" size="large" variant="quiet">
    Back to my work
  </ButtonLink>
);
