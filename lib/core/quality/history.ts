import type { AnswerValue } from './answer';
import type { InteractionSummary } from './interaction';
import type { Policy } from './policy';
import { median } from './score';

export type HistoryAnswer = {
  id: string;
  itemId: string;
  imageId: string;
  target: string;
  at: Date;
  activeMs: number;
  kind: AnswerValue['kind'];
  /** From `traitsOf`. */
  vertices: number | null;
  shapesHash: string | null;
  choicesHash: string | null;
  points: number;
  isAssisted: boolean;
  /** How it was entered; null where that was not measured. */
  interaction: InteractionSummary | null;
  /** It repeats the code of a text that only programs can read. */
  repeatsCode: boolean;
  /** IoU with the closest output of an installed public segmentation model; null where it was not compared. */
  publicIou: number | null;
};

export type HistoryCheck = {
  id: string;
  goldId: string;
  imageId: string;
  target: string;
  at: Date;
  passed: boolean;
  /** From `scoreCheck`. */
  score: Record<string, number>;
  /** Mean `score.level` of trusted workers on the same gold; null while too few have met it. */
  expected: number | null;
  /**
   * How right the promoted model is on this gold (0 to 1), and how much the answer agrees with the model; null where
   * it was not compared.
   */
  model: { level: number; agreement: number } | null;
};

export type HistoryAction = {
  decisionId: string;
  /** `refreshed`: a refresher was finished. `resume`: a pause was lifted, and evidence counts from there. */
  verdict: 'hint' | 'refresher' | 'refreshed' | 'pause' | 'resume' | 'end';
  /** The part or attribute that the action is about; null for the whole stage. */
  target: string | null;
  at: Date;
};

/** What the stage asks of everybody: the bars of its exam. */
export type Bars = { precision: number; recall: number; iou: number };

/** How long everybody takes for an item of the stage. */
export type PoolTimes = { medianMs: number; fifthMs: number };

/** What a worker did in a stage, in time order. */
export type WorkerHistory = {
  answers: readonly HistoryAnswer[];
  checks: readonly HistoryCheck[];
  actions: readonly HistoryAction[];
  /** When batches ended, for a dry run; left out where it is not known. */
  batchEnds?: readonly Date[];
  state: 'active' | 'refresher' | 'paused' | 'ended';
  /** Evidence counts from here: the start, or the last time that a pause was lifted. */
  since: Date;
  bars: Bars;
  /** Stages of the project. Each has an equal share of the error that a rule may make. */
  stageCount: number;
  /** Parts or attributes that the stage asks about; 1 where it asks about the whole object. */
  targetCount: number;
  /** Null while too few answers are in. */
  pool: PoolTimes | null;
  /**
   * Since when most answers of everybody in the stage have come from the annotator, which measures interaction. Null
   * where they do not.
   */
  browserSince: Date | null;
};

export function barsOf(policy: Pick<Policy, 'attributeExam' | 'maskExam'>): Bars {
  const { attributeExam, maskExam } = policy;
  return {
    precision: attributeExam.minPrecision,
    recall: attributeExam.minRecall,
    iou: maskExam.minMeanIou,
  };
}

/** Newest answers that rules look at: more than their longest window, and few enough to read after every batch. */
export const RECENT_ANSWERS = 100;

/**
 * The work that rules judge: since the last fresh start, with the newest answers only, and without work on a part while
 * the worker was paused for it. Actions stay: the ladder needs all of them.
 */
export function countingWork(history: WorkerHistory): WorkerHistory {
  const counts = ({ at, target }: { at: Date; target: string }) =>
    at >= history.since && !isPausedFor(history.actions, target, at);
  return {
    ...history,
    answers: history.answers.slice(-RECENT_ANSWERS).filter(counts),
    checks: history.checks.filter(counts),
  };
}

function isPausedFor(actions: readonly HistoryAction[], target: string, at: Date): boolean {
  const last = actions.findLast(
    (each) =>
      each.target === target && each.at < at && (each.verdict === 'pause' || each.verdict === 'resume'),
  );
  return last?.verdict === 'pause';
}

/** The parts that the worker is paused for. */
export function pausedTargets(actions: readonly HistoryAction[]): string[] {
  const targets = new Set(actions.flatMap(({ target }) => target ?? []));
  return [...targets].filter((target) => {
    const ofTarget = actions.filter((each) => each.target === target);
    return (
      ofTarget.findLast(({ verdict }) => verdict === 'pause' || verdict === 'resume')?.verdict === 'pause'
    );
  });
}

const stateAfter = {
  refresher: 'refresher',
  refreshed: 'active',
  pause: 'paused',
  resume: 'active',
  end: 'ended',
} as const;

/** The state of a worker after a decision about the whole stage or about a part; a hint changes nothing. */
export function nextState(
  state: WorkerHistory['state'],
  { verdict, target }: Pick<HistoryAction, 'verdict' | 'target'>,
): WorkerHistory['state'] {
  if (verdict === 'hint') return state;
  // A worker who is paused for a part goes on with the other parts.
  if (target !== null && (verdict === 'pause' || verdict === 'resume')) return state;
  return stateAfter[verdict];
}

/** The history after a decision. Production does the same in `applyDecision`. */
export function withAction(history: WorkerHistory, action: HistoryAction): WorkerHistory {
  const isFreshStart = action.verdict === 'resume' && action.target === null;
  return {
    ...history,
    actions: [...history.actions, action],
    state: nextState(history.state, action),
    since: isFreshStart ? action.at : history.since,
  };
}

/** Of fewer answers a fifth percentile is a guess. */
const MIN_POOL_TIMES = 40;
/** Turns the median deviation of a normal distribution into its standard deviation. */
const MAD = 1.4826;
/** 5 % point of the normal distribution. */
const Z5 = -1.6449;

/**
 * How long everybody takes: times are log-normal, and the fifth percentile follows from median and median
 * deviation of their logarithms, so that up to a quarter of careless people do not make carelessness usual.
 */
export function poolTimes(activeMs: readonly number[]): PoolTimes | null {
  const logs = activeMs.filter((ms) => ms > 0).map(Math.log);
  const centre = median(logs);
  if (centre === null || logs.length < MIN_POOL_TIMES) return null;
  const deviation = median(logs.map((log) => Math.abs(log - centre))) ?? 0;
  return { medianMs: Math.exp(centre), fifthMs: Math.exp(centre + Z5 * MAD * deviation) };
}

/** With fewer answers it is unknown how people usually answer in a stage. */
const MIN_ANSWERS = 40;
/** Below this share of measured answers, answering by program is usual in the stage. */
const MIN_SHARE = 0.5;

/**
 * Since when the answers of a stage have usually come from the annotator: from the first measured answer on, at least
 * half of 40 or more are measured. Answers from before an upgrade, or in stages worked on through the API, give null.
 */
export function browserSince(answers: readonly { at: Date; isMeasured: boolean }[]): Date | null {
  const measured = answers.filter(({ isMeasured }) => isMeasured);
  const first = measured.reduce<Date | null>((least, { at }) => (!least || at < least ? at : least), null);
  if (!first) return null;
  const since = answers.filter(({ at }) => at >= first);
  return since.length >= MIN_ANSWERS && measured.length >= MIN_SHARE * since.length ? first : null;
}
