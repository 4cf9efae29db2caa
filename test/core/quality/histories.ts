import type { HistoryAction, HistoryAnswer, HistoryCheck, WorkerHistory } from '@/lib/core/quality/history';

/** Minutes after the start of a made-up day. */
export const minute = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000);

export const history = (given: Partial<WorkerHistory> = {}): WorkerHistory => ({
  answers: [],
  checks: [],
  actions: [],
  state: 'active',
  since: minute(0),
  bars: { precision: 0.75, recall: 0.75, iou: 0.7 },
  stageCount: 1,
  targetCount: 1,
  pool: null,
  browserSince: null,
  ...given,
});

/** Answers one minute apart, each on its own image, each a careful outline unless told otherwise. */
export const answers = (list: Partial<HistoryAnswer>[]): HistoryAnswer[] =>
  list.map((given, i) => ({
    id: `answer-${i}`,
    itemId: `item-${i}`,
    imageId: `image-${i}`,
    target: 'ears',
    at: minute(i),
    activeMs: 30_000,
    kind: 'mask',
    vertices: 25,
    shapesHash: `shape-${i}`,
    choicesHash: null,
    points: 25,
    isAssisted: false,
    interaction: null,
    repeatsCode: false,
    publicIou: null,
    ...given,
  }));

export const check = (i: number, given: Partial<HistoryCheck> = {}): HistoryCheck => ({
  id: `check-${i}`,
  goldId: `gold-${i}`,
  imageId: `gold-image-${i}`,
  target: '',
  at: minute(i),
  passed: true,
  score: {},
  expected: null,
  model: null,
  ...given,
});

/** Checks one minute apart from a text: "+" is passed, "-" is failed. */
export const checks = (outcomes: string, from = 0): HistoryCheck[] =>
  [...outcomes].map((outcome, i) => check(from + i, { passed: outcome === '+' }));

/** Checks one minute apart on which precision and recall can be counted. */
export const hitChecks = (list: [right: number, wrong: number, missed: number][]): HistoryCheck[] =>
  list.map(([truePositives, falsePositives, falseNegatives], i) =>
    check(i, {
      score: {
        level: (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives),
        truePositives,
        falsePositives,
        falseNegatives,
        precision: truePositives / (truePositives + falsePositives),
        recall: truePositives / (truePositives + falseNegatives),
      },
    }),
  );

/** Checks one minute apart with these IoUs. */
export const iouChecks = (ious: number[], expected: number | null = null): HistoryCheck[] =>
  ious.map((iou, i) =>
    check(i, { score: { level: iou, iou, sizeAware: iou }, expected, passed: iou >= 0.51 }),
  );

export const action = (
  verdict: HistoryAction['verdict'],
  at: number,
  target: string | null = null,
): HistoryAction => ({
  decisionId: `decision-${at}`,
  verdict,
  target,
  at: minute(at),
});
