import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import { gateText, reasonText } from '@/app/_i18n/gate-text';
import { getWorkerFormat } from '@/app/_i18n/request';
import { ButtonLink } from '@/app/_ui/button';
import { Panel } from '@/app/_ui/panel';
import { Stat, StatStrip } from '@/app/_ui/stat';
import { noValue } from '@/lib/core/format';
import { requireActor } from '@/lib/services/access/page';
import type { BatchSummary } from '@/lib/services/crowd/batch-summary';
import { AppealDialog } from '../../../_appeal/appeal-dialog';
import { VisitBar } from '../../../_home/visit-bar';
import { HintNote } from '../../../_score/hint-note';
import { MeasureBars } from '../../../_score/measure-bars';
import { MistakeList } from '../../../_score/mistake-list';
import { TermsLine } from '../../../_terms/terms-line';
import { StartButton } from '../../../start/start-button';
import { pageSummary } from './page-summary';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('done'))('title') };
}

export default async function BatchDone({ params }: PageProps<'/annotate/batch/[batch]/done'>) {
  const { batch } = await params;
  const summary = await pageSummary(batch);
  if (summary.state === 'leased') redirect(`/annotate/batch/${batch}`);
  const t = await getTranslations('done');
  const { state, kind, exam } = summary;
  return (
    <>
      <header className="flex flex-col gap-1">
        <h1 className="text-2xl font-semibold tracking-tight">{await titleOf(summary)}</h1>
        <p className="text-ink-2">
          {summary.project.name} · {summary.stage.name}
        </p>
      </header>
      {state === 'expired' && <p className="max-w-prose">{t('expiredText')}</p>}
      {state === 'returned' && <p className="max-w-prose">{t('returnedText')}</p>}
      {kind === 'practice' ? (
        <p className="max-w-prose text-ink-2">{t('practiceText')}</p>
      ) : (
        <Pay summary={summary} />
      )}
      {exam && (
        <Panel title={t('examPanel')}>
          {exam.passed === null ? (
            <p className="text-ink-2">{t('examScored')}</p>
          ) : (
            <MeasureBars measures={exam.measures} />
          )}
        </Panel>
      )}
      {exam?.passed === false && <FailedExam summary={summary} mistakes={exam.mistakes} />}
      {kind === 'work' && (
        <Panel title={t('quality')} description={t('qualityText')}>
          <p className="text-ink-2">
            {summary.score ? t('band', { band: summary.score.band }) : t('noScore')}
          </p>
        </Panel>
      )}
      <Hint summary={summary} />
      <VisitBar workerId={(await requireActor()).userId} />
      <Next summary={summary} />
    </>
  );
}

async function titleOf({ kind, state, exam, answered, leased }: BatchSummary): Promise<string> {
  const t = await getTranslations('done');
  const counts = { answered, count: leased };
  if (state === 'expired') return t('expired', counts);
  if (state === 'returned') return t('returned', counts);
  if (!exam) return t('submitted', { kind, ...counts });
  return exam.passed === null ? t('examPending') : exam.passed ? t('examPassed') : t('examFailed');
}

async function FailedExam({
  summary: { gate },
  mistakes,
}: {
  summary: BatchSummary;
  mistakes: NonNullable<BatchSummary['exam']>['mistakes'];
}) {
  const t = await getTranslations('done');
  const format = await getWorkerFormat();
  const retry = gate?.until && {
    date: format.dateTime(gate.until),
    relative: format.relative(gate.until),
  };
  return <MistakeList mistakes={mistakes} retry={retry && t('retryDate', retry)} />;
}

async function Hint({ summary }: { summary: BatchSummary }) {
  const { hint, hintRule, canPractiseHint, stage, project } = summary;
  if (hint === null) return null;
  const t = await getTranslations();
  const text = reasonText(await getTranslations('records'), await getLocale(), {
    text: hint,
    rule: hintRule,
  });
  return (
    <HintNote text={text}>
      {canPractiseHint && (
        <StartButton
          stageId={stage.id}
          name={`${project.name}, ${stage.name}`}
          kind="practice"
          label={t('home.practiseHint')}
          variant="secondary"
        />
      )}
    </HintNote>
  );
}

/** Offers only what the worker can do now. */
async function Next({ summary }: { summary: BatchSummary }) {
  const t = await getTranslations();
  const { kind, gate, exam, stage, project, terms, reason } = summary;
  const name = `${project.name}, ${stage.name}`;
  if (gate && gate.gate !== 'not-needed') {
    const isExam = gate.gate.startsWith('exam');
    const says = [
      gateText(await getTranslations('gates'), await getWorkerFormat(), gate),
      reason && reasonText(await getTranslations('records'), await getLocale(), reason),
    ];
    return (
      <div className="flex flex-col gap-3">
        {kind !== 'practice' && !isExam && (
          <p className="max-w-prose text-ink-2">{says.filter(Boolean).join(' ')}</p>
        )}
        {gate.gate === 'refresher' && terms && <TermsLine terms={terms} stageKind={stage.kind} />}
        <div className="flex flex-wrap items-start gap-3">
          {gate.gate === 'refresher' && (
            <StartButton stageId={stage.id} name={name} kind="refresher" label={t('home.refresher')} />
          )}
          {isExam && (
            <ButtonLink
              href={`/annotate/${project.slug}/exam/${stage.id}`}
              size="large"
              variant={gate.gate === 'exam' ? 'primary' : 'secondary'}
            >
              {gate.gate === 'exam' ? t('home.goToExam') : t('home.aboutExam')}
            </ButtonLink>
          )}
          {exam?.passed === false && (
            <ButtonLink href={`/annotate/${project.slug}/guide`} size="large">
              {t('home.readGuide')}
            </ButtonLink>
          )}
          {summary.decisionId && <AppealDialog decisionId={summary.decisionId} />}
          <Home label={t('shell.backToWork')} isMain={!isExam && gate.gate !== 'refresher'} />
        </div>
      </div>
    );
  }
  if (exam?.passed === null) return <Home label={t('shell.backToWork')} isMain />;
  return (
    <div className="flex flex-col gap-3">
      {terms && (
        <div>
          <p className="text-sm text-ink-2">{t('done.nextTerms')}</p>
          <TermsLine terms={terms} stageKind={stage.kind} />
        </div>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <StartButton stageId={stage.id} name={name} kind="work" label={t('done.nextBatch')} autoFocus />
        <Home label={t('done.stop')} />
      </div>
    </div>
  );
}

const Home = ({ label, isMain }: { label: string; isMain?: boolean }) => (
  <ButtonLink href="/annotate" size="large" variant={isMain ? 'primary' : 'secondary'} className="self-start">
    {label}
  </ButtonLink>
);

async function Pay({ summary }: { summary: BatchSummary }) {
  const t = await getTranslations('done');
  const format = await getWorkerFormat();
  const { pay, review, hourlyMicro, hourlyTarget, activeMs, exam } = summary;
  const open = review?.state === 'open';
  return (
    <div className="flex flex-col gap-2">
      {review && review.state !== 'approved' && (
        <HintNote
          text={open ? t('review', { reason: review.reason }) : t('refused', { reason: review.note })}
        />
      )}
      <StatStrip>
        <Stat
          label={t('earned', { isExam: String(exam !== null) })}
          value={pay ? format.money(pay.amountMicro, pay.currency) : open ? t('inReview') : noValue}
        />
        <Stat label={t('activeTime')} value={format.duration(activeMs)} />
        <Stat
          label={t('perHour')}
          value={pay && hourlyMicro !== null ? format.money(hourlyMicro, pay.currency) : noValue}
        />
      </StatStrip>
      <p className="text-sm text-ink-2">
        {t('target', { money: format.money(hourlyTarget.amountMicro, hourlyTarget.currency) })}
      </p>
    </div>
  );
}
