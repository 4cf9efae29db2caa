import { ButtonLink } from '@/app/_ui/button';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { WorkOffer } from '@/lib/crowd/work';
import type { StageScore } from '@/lib/crowd/worker';
import { AppealDialog } from '../_appeal/appeal-dialog';
import { bandTexts } from '../_score/band-texts';
import { HintNote } from '../_score/hint-note';
import { StartButton } from '../start/start-button';

type Props = { offer: WorkOffer; score: StageScore | null };

/** One stage: what can be done in it now, or what stands in the way and what to do about it. */
export function StageLine({ offer, score }: Props) {
  const { stage, gate, openBatch } = offer;
  const isConsent = gate?.gate === 'consent';
  return (
    <li className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{isConsent ? 'Before you begin' : stage.name}</p>
        <Situation offer={offer} />
        {score && <p className="text-sm text-ink-2">{bandTexts[score.band]}</p>}
        {offer.hint && !openBatch && <HintNote text={offer.hint} />}
      </div>
      {gate && !openBatch && !isConsent && (
        <State state={gate.gate} tone={tones[gate.gate]}>
          {words[gate.gate]}
        </State>
      )}
      <Action offer={offer} />
    </li>
  );
}

type GateName = NonNullable<WorkOffer['gate']>['gate'];

const words: Record<GateName, string> = {
  consent: 'consent missing',
  closed: 'closed',
  exam: 'exam to take',
  'exam-wait': 'exam later',
  'exam-failed': 'exam not passed',
  refresher: 'refresher',
  paused: 'paused',
  ended: 'ended',
  limit: 'limit reached',
  'not-needed': 'not needed',
};

const tones: Record<GateName, Tone> = {
  consent: 'neutral',
  closed: 'neutral',
  exam: 'neutral',
  'exam-wait': 'neutral',
  'exam-failed': 'warn',
  refresher: 'warn',
  paused: 'warn',
  ended: 'bad',
  limit: 'neutral',
  'not-needed': 'neutral',
};

function Situation({ offer: { gate, supply, exam, openBatch } }: { offer: WorkOffer }) {
  if (openBatch) {
    const what =
      openBatch.kind === 'exam' ? 'an exam' : openBatch.kind === 'practice' ? 'a practice round' : 'a batch';
    return <p className="text-sm text-ink-2">You have {what} open.</p>;
  }
  if (gate) return <p className="max-w-prose text-sm text-ink-2">{gate.says}</p>;
  return (
    <p className="text-sm text-ink-2">
      {supplyTexts[supply]}
      {exam?.passed && ' · exam passed'}
    </p>
  );
}

const supplyTexts: Record<WorkOffer['supply'], string> = {
  none: 'No work right now. Please look again later.',
  few: 'A few items left',
  some: 'Some items left',
  many: 'Many items left',
};

function Action({ offer }: { offer: WorkOffer }) {
  const { project, stage, gate, openBatch, supply } = offer;
  const name = `${project.name}, ${stage.name}`;
  if (openBatch) return <StartButton stageId={stage.id} name={name} kind="work" label="Continue" />;
  switch (gate?.gate) {
    case undefined:
      return supply !== 'none' && <StartButton stageId={stage.id} name={name} kind="work" label="Start" />;
    case 'consent':
      return (
        <ButtonLink href={`/annotate/${project.slug}/consent`} variant="primary" size="large">
          Read and agree
        </ButtonLink>
      );
    case 'exam':
    case 'exam-wait':
    case 'exam-failed':
      return (
        <ButtonLink
          href={`/annotate/${project.slug}/exam/${stage.id}`}
          variant={gate?.gate === 'exam' ? 'primary' : 'secondary'}
          size="large"
          aria-label={`Exam of ${name}`}
        >
          {gate?.gate === 'exam' ? 'To the exam' : 'About the exam'}
        </ButtonLink>
      );
    case 'refresher':
      return <StartButton stageId={stage.id} name={name} kind="refresher" label="Refresh" />;
    case 'paused':
    case 'ended':
      return gate?.decisionId ? <AppealDialog decisionId={gate.decisionId} /> : null;
    default:
      return null;
  }
}
