import type { AnswerValue } from './answer';
import type { InteractionSummary } from './interaction';
import type { Policy } from './policy';

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
  verdict: 'hint' | 'refresher' | 'pause' | 'resume' | 'end';
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
  state: 'active' | 'refresher' | 'paused' | 'ended';
  /** Evidence counts from here. */
  since: Date;
  bars: Bars;
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

/** The history without what lies before the worker's last fresh start. Actions stay: the ladder needs them all. */
export function sinceFreshStart(history: WorkerHistory): WorkerHistory {
  const counts = ({ at }: { at: Date }) => at >= history.since;
  return { ...history, answers: history.answers.filter(counts), checks: history.checks.filter(counts) };
}
