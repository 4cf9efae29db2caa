import { type GoldPool, goldPools } from '@/db/schema';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { SetupFacts, StageGold } from './read-setup';

export const setupStepIds = ['images', 'schema', 'instructions', 'gold', 'policy', 'invite'] as const;
export type SetupStepId = (typeof setupStepIds)[number];

/** `preset`: nobody chose, and what comes with the preset will do. */
export type StepState = 'done' | 'preset' | 'missing';

export interface SetupStep {
  id: SetupStepId;
  title: string;
  state: StepState;
  /** What is there. */
  done: string;
  /** What is not, and why it matters; null when nothing is missing. */
  missing: string | null;
  action: string;
  /** Below the project's own address. */
  path: string;
}

/** The guided path: everything it says follows from the data, so that it can be left and taken up at any place. */
export function setupSteps(facts: SetupFacts): SetupStep[] {
  return [
    imagesStep(facts),
    schemaStep(facts),
    instructionsStep(facts),
    goldStep(facts),
    policyStep(facts),
    inviteStep(facts),
  ];
}

/** What to do next: the first step that lacks something. */
export const nextStep = (steps: readonly SetupStep[]): SetupStep | undefined =>
  steps.find(({ state }) => state === 'missing');

function imagesStep({ images }: SetupFacts): SetupStep {
  const { active, withoutClass } = images;
  const lost = `${formatCount(withoutClass, 'image')} without a class of the schema: nobody is asked about their parts.`;
  return {
    id: 'images',
    title: 'Images',
    state: active === 0 ? 'missing' : 'done',
    done: active === 0 ? 'No images yet.' : `${formatCount(active, 'image')}.`,
    missing:
      active === 0
        ? 'Drop files, folders or a zip. The class comes from the folder, a CSV or a WordNet id.'
        : withoutClass > 0
          ? lost
          : null,
    action: active === 0 ? 'Add images' : 'Add more images',
    path: '/images/add',
  };
}

function schemaStep({ schema: { number, document } }: SetupFacts): SetupStep {
  const sizes = [
    formatCount(document.classes.length, 'class', 'classes'),
    document.attributes.length > 0 ? formatCount(document.attributes.length, 'attribute') : '',
    document.parts.length > 0 ? formatCount(document.parts.length, 'part') : '',
  ];
  return {
    id: 'schema',
    title: 'Schema',
    state: number > 1 ? 'done' : 'preset',
    done: `${document.name}, version ${number}: ${sizes.filter(Boolean).join(', ')}.`,
    missing: null,
    action: 'Edit the schema',
    path: '/schema/edit',
  };
}

function instructionsStep({ guides }: SetupFacts): SetupStep {
  return {
    id: 'instructions',
    title: 'Instructions',
    state: guides > 0 ? 'done' : 'preset',
    done:
      guides > 0
        ? `${formatCount(guides, 'text')} written by hand.`
        : 'Workers read the rules and definitions of the schema.',
    missing:
      guides > 0 ? null : 'Examples and borderline cases in your own words save most of the questions.',
    action: 'Write instructions',
    path: '/crowd/guide',
  };
}

function goldStep({ gold }: SetupFacts): SetupStep {
  const short = gold.filter(({ images, needed }) => goldPools.some((pool) => images[pool] < needed[pool]));
  const candidates = gold.reduce((sum, stage) => sum + stage.candidates, 0);
  const there = gold.reduce((sum, stage) => sum + stage.active, 0);
  const waiting = candidates > 0 ? ` ${formatCount(candidates, 'candidate')} to confirm.` : '';
  return {
    id: 'gold',
    title: 'Gold',
    state: short.length > 0 ? 'missing' : there > 0 ? 'done' : 'preset',
    done: `${there > 0 ? `${formatCount(there, 'gold item')} in use.` : 'No gold in use.'}${waiting}`,
    missing:
      short.length > 0
        ? `${short.map(missingGold).join('; ')}. Write or import more gold, or change exams and checks in the policy.`
        : there === 0
          ? 'There are no exams, and without gold no hidden checks either.'
          : null,
    action: there + candidates > 0 ? 'Open gold' : 'Write gold',
    path: '/gold',
  };
}

const poolNames: Record<GoldPool, string> = {
  check: 'hidden checks',
  exam: 'the exam',
  practice: 'practice',
};

function missingGold({ name, images, needed }: StageGold): string {
  const missing = goldPools
    .filter((pool) => images[pool] < needed[pool])
    .map(
      (pool) =>
        `${formatNumber(images[pool])} of ${formatCount(needed[pool], 'image')} for ${poolNames[pool]}`,
    );
  return `${name}: ${missing.join(', ')}`;
}

function policyStep({ policyChanged }: SetupFacts): SetupStep {
  return {
    id: 'policy',
    title: 'Policy',
    state: policyChanged ? 'done' : 'preset',
    done: policyChanged ? 'Your own numbers hold.' : 'The numbers of the preset hold: exams, checks, pay.',
    missing: null,
    action: 'Look at the policy',
    path: '/crowd/policy',
  };
}

function inviteStep({ crowd: { workers, invitations, recruitments } }: SetupFacts): SetupStep {
  const there = [
    workers > 0 ? formatCount(workers, 'worker') : '',
    invitations > 0 ? formatCount(invitations, 'open invitation') : '',
    recruitments > 0 ? formatCount(recruitments, 'open study', 'open studies') : '',
  ].filter(Boolean);
  return {
    id: 'invite',
    title: 'Invite',
    state: there.length > 0 ? 'done' : 'missing',
    done: there.length > 0 ? `${there.join(', ')}.` : 'Nobody is invited yet.',
    missing: there.length > 0 ? null : 'Send a link to people you know, or open a study at a marketplace.',
    action: there.length > 0 ? 'Invite more people' : 'Invite people',
    path: '/crowd/invite',
  };
}
