import { getLocale, getTranslations } from 'next-intl/server';
import { gateText, reasonText } from '@/app/_i18n/gate-text';
import { getWorkerFormat } from '@/app/_i18n/request';
import { ButtonLink } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { WorkOffer } from '@/lib/services/crowd/work';
import type { StageScore } from '@/lib/services/crowd/worker';
import { AppealDialog } from '../_appeal/appeal-dialog';
import { type Path, pathOf } from '../_path/path';
import { PathSteps } from '../_path/path-steps';
import { HintNote } from '../_score/hint-note';
import { TermsLine } from '../_terms/terms-line';
import { StartButton } from '../start/start-button';

type Props = { offer: WorkOffer; score: StageScore | null; hasReadGuide: boolean };

/** One stage: what can be done in it now and what it pays, or what comes first. */
export async function StageLine({ offer, score, hasReadGuide }: Props) {
  const t = await getTranslations();
  const locale = await getLocale();
  const { stage, gate, openBatch, terms } = offer;
  const path = pathOf(offer, hasReadGuide);
  const shown =
    path?.next === 'exam' || path?.next === 'practice'
      ? terms?.exam
      : gate?.gate === 'refresher' && !openBatch
        ? terms?.refresher
        : terms?.work;
  const reason =
    gate?.reason && !openBatch ? reasonText(await getTranslations('records'), locale, gate.reason) : null;
  const hint =
    offer.hint === null || openBatch
      ? null
      : reasonText(await getTranslations('records'), locale, { text: offer.hint, rule: offer.hintRule });
  return (
    <li className="flex flex-col gap-3 px-4 py-4">
      {path && <PathSteps path={path} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
          <p className="font-medium">{stage.name}</p>
          {shown && <TermsLine terms={shown} stageKind={stage.kind} />}
          {path?.next === 'practice' && <p className="text-sm text-ink-2">{t('home.practiceUnpaid')}</p>}
          <Situation offer={offer} />
          {reason && (
            <p dir="auto" className="max-w-prose text-sm text-ink-2">
              {reason}
            </p>
          )}
          {score && <p className="text-sm text-ink-2">{t('done.band', { band: score.band })}</p>}
        </div>
        {gate && !openBatch && !path && (
          <State state={gate.gate} tone={tones[gate.gate]}>
            {t(`gates.labels.${gate.gate}`)}
          </State>
        )}
        <Action offer={offer} path={path} />
      </div>
      {hint && (
        <HintNote text={hint}>
          {offer.canPractiseHint && (
            <StartButton
              stageId={stage.id}
              name={`${offer.project.name}, ${stage.name}`}
              kind="practice"
              label={t('home.practiseHint')}
              variant="secondary"
            />
          )}
        </HintNote>
      )}
    </li>
  );
}

type GateName = NonNullable<WorkOffer['gate']>['gate'];

const tones: Partial<Record<GateName, Tone>> = {
  'exam-failed': 'warn',
  refresher: 'warn',
  paused: 'warn',
  ended: 'bad',
};

async function Situation({ offer: { gate, supply, exam, openBatch } }: { offer: WorkOffer }) {
  const t = await getTranslations();
  const text = openBatch
    ? t('home.open', { kind: openBatch.kind })
    : gate
      ? gateText(await getTranslations('gates'), await getWorkerFormat(), gate)
      : [t('home.supply', { supply }), exam?.passed ? t('home.examPassed') : ''].filter(Boolean).join(' · ');
  return <p className="max-w-prose text-sm text-ink-2">{text}</p>;
}

async function Action({ offer, path }: { offer: WorkOffer; path: Path | null }) {
  const t = await getTranslations('home');
  const { project, stage, gate, openBatch, supply } = offer;
  const name = `${project.name}, ${stage.name}`;
  if (openBatch) return <StartButton stageId={stage.id} name={name} kind="work" label={t('continue')} />;
  switch (gate?.gate) {
    case undefined:
      return (
        supply !== 'none' && <StartButton stageId={stage.id} name={name} kind="work" label={t('start')} />
      );
    case 'consent':
      return (
        <ButtonLink href={`/annotate/${project.slug}/consent`} variant="primary" size="large">
          {t('readAndAgree')}
        </ButtonLink>
      );
    case 'exam':
    case 'exam-wait':
    case 'exam-failed':
      return <ExamActions offer={offer} name={name} next={gate.gate === 'exam' ? path?.next : undefined} />;
    case 'refresher':
      return <StartButton stageId={stage.id} name={name} kind="refresher" label={t('refresher')} />;
    case 'paused':
    case 'ended':
      return gate?.decisionId ? <AppealDialog decisionId={gate.decisionId} /> : null;
    default:
      return null;
  }
}

/** The next step before the exam as the main action, and the page of the exam beside it. */
async function ExamActions({
  offer: { project, stage },
  name,
  next,
}: {
  offer: WorkOffer;
  name: string;
  next: Path['next'] | undefined;
}) {
  const t = await getTranslations('home');
  const exam = next === 'exam' ? t('goToExam') : t('aboutExam');
  return (
    <div className="flex flex-wrap items-center gap-2">
      {next === 'guide' && (
        <ButtonLink href={`/annotate/${project.slug}/guide`} variant="primary" size="large">
          {t('readGuide')}
        </ButtonLink>
      )}
      {next === 'practice' && (
        <StartButton stageId={stage.id} name={name} kind="practice" label={t('practise')} />
      )}
      <ButtonLink
        href={`/annotate/${project.slug}/exam/${stage.id}`}
        variant={next === 'exam' ? 'primary' : 'secondary'}
        size="large"
        aria-label={`${exam}: ${name}`}
      >
        {exam}
      </ButtonLink>
    </div>
  );
}
