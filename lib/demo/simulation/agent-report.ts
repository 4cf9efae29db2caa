import type { WorkerHistory } from '@/lib/core/quality/history';
import { type Share, wilson } from '@/lib/core/quality/interval';
import { dryRun } from '@/lib/core/quality/judge';
import type { RuleSetting } from '@/lib/core/quality/rules';
import { median } from '@/lib/core/quality/score';
import type { BehaviourName } from './behaviours';
import { type Life, simulateCareer } from './careers';
import type { InputStyle } from './interaction';

/** A row of the table: many lives of one kind. */
export interface Group {
  name: string;
  isProgram: boolean;
  behaviour: BehaviourName;
  input?: InputStyle;
  stageKinds: readonly Life['stageKind'][];
  hardGold?: number;
}

export interface GroupReport {
  name: string;
  isProgram: boolean;
  careers: number;
  /** Careers that were paused, with a 95 % interval (Wilson). */
  paused: Share;
  /** Careers with any step at all: hint, refresher or pause. */
  anyStep: Share;
  /** Answers given by then; null where nobody was paused. */
  itemsUntilPause: { median: number; p90: number } | null;
  /** How often each rule led to the pause. */
  rules: Record<string, number>;
}

const both = ['attributes', 'object-mask'] as const;

/** The three agents of the issue, and one that shows the limit: a program that replays recorded movements of people. */
export const programs: readonly Group[] = [
  { name: 'plain HTTP', isProgram: true, behaviour: 'http-agent', stageKinds: both },
  { name: 'scripted browser', isProgram: true, behaviour: 'browser-agent', stageKinds: both },
  { name: 'segmentation model', isProgram: true, behaviour: 'model-agent', stageKinds: ['object-mask'] },
  {
    name: 'segmentation model, half of the checks hard for models',
    isProgram: true,
    behaviour: 'model-agent',
    stageKinds: ['object-mask'],
    hardGold: 0.5,
  },
  {
    name: 'replayed human movements',
    isProgram: true,
    behaviour: 'browser-agent',
    input: 'mouse',
    stageKinds: both,
  },
];

const person = (name: string, behaviour: BehaviourName, input?: InputStyle): Group => ({
  name,
  isProgram: false,
  behaviour,
  input,
  stageKinds: both,
});

export const people: readonly Group[] = [
  person('careful', 'careful'),
  person('average', 'average'),
  person('sloppy', 'sloppy'),
  person('spammer', 'spammer'),
  person('turncoat', 'turncoat'),
  person('careful, touch screen', 'careful', 'touch'),
  person('careful, keyboard only', 'careful', 'keyboard'),
  person('careful, voice control', 'careful', 'voice'),
  {
    ...person('average, half of the checks hard for models', 'average'),
    stageKinds: ['object-mask'],
    hardGold: 0.5,
  },
];

export interface Experiment {
  careers: number;
  items: number;
  seed: number;
}

export interface SimulatedGroup extends Group {
  histories: readonly WorkerHistory[];
}

export function simulateGroup(group: Group, { careers, items, seed }: Experiment): SimulatedGroup {
  const histories = Array.from({ length: careers }, (_, i) => {
    const stageKind = group.stageKinds[i % group.stageKinds.length] as Life['stageKind'];
    const { behaviour, input, hardGold } = group;
    return simulateCareer({ behaviour, input, stageKind, items, hardGold, seed: seed * 10_007 + i });
  });
  return { ...group, histories };
}

/** Lets the rules look at simulated careers, batch by batch, exactly as in the dry run of the console. */
export function reportOn(group: SimulatedGroup, rules: readonly RuleSetting[]): GroupReport {
  const { name, isProgram, histories } = group;
  const runs = dryRun(histories, rules);
  const stops = runs.flatMap(({ stop }) => stop ?? []);
  const counts: Record<string, number> = {};
  for (const { judgement } of stops) counts[judgement.rule] = (counts[judgement.rule] ?? 0) + 1;
  const until = stops.map(({ answersDone }) => answersDone).sort((a, b) => a - b);
  const share = (n: number) => wilson(n, histories.length) as Share;
  return {
    name,
    isProgram,
    careers: histories.length,
    paused: share(stops.length),
    anyStep: share(runs.filter(({ steps }) => steps.length > 0).length),
    itemsUntilPause:
      until.length > 0
        ? { median: median(until) as number, p90: until[Math.ceil(0.9 * until.length) - 1] as number }
        : null,
    rules: counts,
  };
}

/** All people together, for the share of false positives. */
export function pooled(reports: readonly GroupReport[]): { paused: Share; anyStep: Share } {
  const sum = (of: (report: GroupReport) => number) => reports.reduce((total, each) => total + of(each), 0);
  const careers = sum((each) => each.careers);
  const share = (of: (report: GroupReport) => Share) =>
    wilson(Math.round(sum((each) => of(each).value * each.careers)), careers) as Share;
  return { paused: share((each) => each.paused), anyStep: share((each) => each.anyStep) };
}
