import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { gateText } from '@/app/_i18n/gate-text';
import { pageTexts } from '@/app/_i18n/project-texts';
import { getWorkerFormat } from '@/app/_i18n/request';
import { ButtonLink } from '@/app/_ui/button';
import { DefinitionList } from '@/app/_ui/definition-list';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { database } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { textKeys } from '@/lib/core/translations';
import { looksLikeId } from '@/lib/services/access';
import { pageProject } from '@/lib/services/access/page';
import { readGuides } from '@/lib/services/accounts';
import { type ExamOffer, examOffer } from '@/lib/services/crowd/worker';
import { type Path, pathOf } from '../../../_path/path';
import { PathSteps } from '../../../_path/path-steps';
import { MeasureBars } from '../../../_score/measure-bars';
import { MistakeList } from '../../../_score/mistake-list';
import { TermsLine } from '../../../_terms/terms-line';
import { StartButton } from '../../../start/start-button';

type Props = PageProps<'/annotate/[project]/exam/[stage]'>;

async function loadExam(params: Props['params']) {
  const { project: slug, stage: stageId } = await params;
  const { project, actor } = await pageProject(slug, 'work.read');
  if (!looksLikeId(stageId)) notFound();
  const exam = await examOffer(database(), actor, { projectId: project.id, stageId }).catch((error) => {
    if (error instanceof TesseraError && error.kind === 'not-found') notFound();
    throw error;
  });
  const texts = await pageTexts(project.id);
  return {
    project: { ...project, name: texts.quiet(textKeys.projectName, project.name) },
    actor,
    exam: {
      ...exam,
      stage: { ...exam.stage, name: texts.quiet(textKeys.stageName(exam.stage.id), exam.stage.name) },
    },
  };
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { exam } = await loadExam(params);
  return { title: (await getTranslations('exam'))('title', { task: exam.stage.name }) };
}

export default async function ExamPage({ params }: Props) {
  const { project, actor, exam } = await loadExam(params);
  const t = await getTranslations('exam');
  const format = await getWorkerFormat();
  const hasReadGuide = (await readGuides(database(), actor.userId)).has(project.id);
  const path = pathOf(standingOf(exam), hasReadGuide);
  const items = await itemsText(exam, exam.items);
  const [newest] = exam.results;
  return (
    <>
      <header className="flex flex-col gap-1">
        <h1 className="text-2xl font-semibold tracking-tight">{t('title', { task: exam.stage.name })}</h1>
        <p className="text-ink-2">{project.name}</p>
      </header>
      {path && <PathSteps path={path} />}
      <p className="max-w-prose">{t('intro', { items })}</p>
      <Facts exam={exam} />
      <Actions exam={exam} slug={project.slug} name={`${project.name}, ${exam.stage.name}`} path={path} />
      {newest && !newest.passed && !exam.hasPassed && <MistakeList mistakes={exam.mistakes} />}
      {exam.results.map((result) => (
        <Panel
          key={result.attempt}
          title={
            <State state={result.passed ? 'passed' : 'failed'} tone={result.passed ? 'good' : 'warn'}>
              {t('attempt', { number: result.attempt, passed: String(result.passed) })}
            </State>
          }
          description={format.dateTime(result.at)}
        >
          <MeasureBars measures={result.measures} />
        </Panel>
      ))}
    </>
  );
}

const standingOf = ({ gate, openBatch, hasPassed, attempts, attemptsLeft, practice }: ExamOffer) => ({
  gate: gate && { ...gate, decisionId: null, reason: null },
  openBatch: openBatch && { ...openBatch, leasedUntil: new Date(0) },
  exam: {
    passed: hasPassed,
    attempts: attempts - attemptsLeft,
    practice:
      practice.items === 0 ? ('none' as const) : practice.isDone ? ('done' as const) : ('open' as const),
  },
});

async function itemsText({ stage }: ExamOffer, count: number): Promise<string> {
  const t = await getTranslations('terms');
  return stage.kind === 'attributes' ? t('pictures', { count }) : t('outlines', { count });
}

async function Facts({ exam }: { exam: ExamOffer }) {
  const t = await getTranslations('exam');
  const format = await getWorkerFormat();
  const pay = format.money(exam.pay.amountMicro, exam.pay.currency);
  const attempts = t('attemptsLeft', { left: exam.attemptsLeft, count: exam.attempts });
  const apart =
    exam.attempts > 1 && exam.waitHours > 0
      ? t('apart', { duration: format.duration(exam.waitHours * 3_600_000) })
      : '';
  return (
    <Panel title={t('facts')}>
      <DefinitionList
        items={[
          {
            term: t('toPass'),
            value: exam.bars.map(({ name, bar }) => (
              <span key={name} className="block">
                {t(`${name}Bar`, { share: format.percent(bar) })}
              </span>
            )),
          },
          { term: t('pay'), value: t('payEither', { money: pay }) },
          ...(exam.terms?.exam
            ? [
                {
                  term: t('time'),
                  value: <TermsLine terms={exam.terms.exam} stageKind={exam.stage.kind} withoutPrice />,
                },
              ]
            : []),
          { term: t('attempts'), value: [attempts, apart].filter(Boolean).join(' · ') },
          {
            term: t('practice'),
            value:
              exam.practice.items > 0
                ? t('practiceText', { items: await itemsText(exam, exam.practice.items) })
                : t('noPractice'),
          },
          ...(exam.terms
            ? [
                {
                  term: t('workAfter'),
                  value: <TermsLine terms={exam.terms.work} stageKind={exam.stage.kind} />,
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

interface ActionsProps {
  exam: ExamOffer;
  slug: string;
  name: string;
  path: Path | null;
}

/** The next step is the main action; the others stay within reach. */
async function Actions({ exam, slug, name, path }: ActionsProps) {
  const t = await getTranslations();
  const { gate, openBatch, practice, stage } = exam;
  const main = (isMain: boolean) => (isMain ? 'primary' : 'secondary');
  if (openBatch) return <StartButton stageId={stage.id} name={name} kind="work" label={t('home.continue')} />;
  if (exam.hasPassed) {
    return (
      <div className="flex flex-wrap gap-3">
        <StartButton stageId={stage.id} name={name} kind="work" label={t('home.start')} />
        <Back />
      </div>
    );
  }
  const says = gate && gateText(await getTranslations('gates'), await getWorkerFormat(), gate);
  return (
    <div className="flex flex-col gap-3">
      {says && <p className="max-w-prose text-ink-2">{says}</p>}
      <div className="flex flex-wrap gap-3">
        {gate?.gate === 'consent' && (
          <ButtonLink href={`/annotate/${slug}/consent`} variant="primary" size="large">
            {t('home.readAndAgree')}
          </ButtonLink>
        )}
        <ButtonLink href={`/annotate/${slug}/guide`} size="large" variant={main(path?.next === 'guide')}>
          {t('exam.readGuide')}
        </ButtonLink>
        {practice.isOpen && (
          <StartButton
            stageId={stage.id}
            name={name}
            kind="practice"
            label={t('home.practise')}
            variant={main(path?.next === 'practice')}
          />
        )}
        {!gate && (
          <StartButton
            stageId={stage.id}
            name={name}
            kind="exam"
            label={t('exam.take')}
            variant={main(path?.next === 'exam')}
          />
        )}
        <Back />
      </div>
    </div>
  );
}

async function Back() {
  const t = await getTranslations('shell');
  return (
    <ButtonLink href="/annotate" size="large" variant="quiet">
      {t('backToWork')}
    </ButtonLink>
  );
}
