import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { browserSince, type HistoryAnswer, type WorkerHistory } from '@/lib/core/quality/history';
import { InteractionRecorder, type InteractionSummary } from '@/lib/core/quality/interaction';
import { dryRun, judge } from '@/lib/core/quality/judge';
import { findRule, humanSignals } from '@/lib/core/quality/rules';
import {
  machineInput,
  missingEvents,
  modelMistakes,
  modelOutlines,
  repeatedCode,
} from '@/lib/core/quality/rules/program-signals';
import { action, answers, check, history, minute } from '../histories';

const empty: InteractionSummary = new InteractionRecorder().summary();
const drawing: InteractionSummary = {
  ...empty,
  downs: 26,
  ups: 26,
  moves: 700,
  reaches: 20,
  straightness: 0.93,
  gapMedianMs: 900,
  gapSpread: 0.6,
  firstMs: 1500,
};
const times = (n: number, given: Partial<HistoryAnswer>) => Array<Partial<HistoryAnswer>>(n).fill(given);
const worked = (list: Partial<HistoryAnswer>[], rest: Partial<WorkerHistory> = {}) =>
  history({ answers: answers(list), ...rest });

describe('the signal "answers without the events that make them"', () => {
  const find = (list: Partial<HistoryAnswer>[], rest: Partial<WorkerHistory> = {}, settings = {}) =>
    missingEvents.judge(worked(list, rest), settings);

  it('finds outlines with fewer events than vertices', () => {
    const few = { ...drawing, downs: 1, ups: 1, moves: 3 };
    expect(find([...times(17, { interaction: drawing }), ...times(3, { interaction: few })])).toBeNull();
    expect(find([...times(12, { interaction: drawing }), ...times(3, { interaction: few })])).toMatchObject({
      isStrong: false,
      evidence: ['answer-12', 'answer-13', 'answer-14'],
    });
    expect(find(times(6, { interaction: few }))).toMatchObject({ isStrong: true });
  });

  it('finds forms that nobody touched', () => {
    const form = { kind: 'attributes' as const, points: 0, vertices: null, shapesHash: null };
    expect(find(times(6, { ...form, interaction: { ...empty, moves: 40 } }))).toMatchObject({
      isStrong: true,
    });
    expect(find(times(6, { ...form, interaction: { ...empty, clicks: 3 } }))).toBeNull();
    expect(find(times(6, { ...form, interaction: { ...empty, keys: 3 } }))).toBeNull();
  });

  it('leaves out smart tools, work begun elsewhere and simple shapes', () => {
    const few = { ...drawing, downs: 2, ups: 2, moves: 4 };
    expect(find(times(20, { interaction: few, isAssisted: true }))).toBeNull();
    expect(find(times(20, { interaction: { ...few, isResumed: true } }))).toBeNull();
    expect(find(times(20, { interaction: few, points: 8 }))).toBeNull();
  });

  it('takes a missing record as weak evidence where others use the annotator, unless the API is allowed', () => {
    const list = times(20, { interaction: null });
    expect(find(list)).toBeNull();
    expect(find(list, { browserSince: minute(0) })).toMatchObject({ isStrong: false });
    expect(find(list, { browserSince: minute(0) })?.evidence).toHaveLength(20);
    expect(find(list, { browserSince: minute(0) }, { countMissing: 0 })).toBeNull();
    // Answers from before the annotator measured anything do not count.
    expect(find(list, { browserSince: minute(15) })).toBeNull();
  });

  it('knows since when a stage is worked on in the browser', () => {
    const at = (n: number, isMeasured: boolean) => ({ at: minute(n), isMeasured });
    const old = Array.from({ length: 100 }, (_, i) => at(i, false));
    const recent = Array.from({ length: 40 }, (_, i) => at(100 + i, true));
    expect(browserSince(old)).toBeNull();
    expect(browserSince([...old, ...recent])).toEqual(minute(100));
    expect(browserSince([...old, ...recent.slice(0, 39)])).toBeNull();
    expect(browserSince([...recent, ...Array.from({ length: 41 }, (_, i) => at(150 + i, false))])).toBeNull();
  });
});

describe('the signal "machine-like pointer and keyboard use"', () => {
  const find = (interaction: InteractionSummary, n = 10) =>
    machineInput.judge(worked(times(n, { interaction })), {});
  const ruled = { ...drawing, straightReaches: 20, steadyReaches: 20 };

  it('finds two marks at once', () => {
    expect(find(ruled)).toMatchObject({ isStrong: true });
    expect(find({ ...drawing, gapSpread: 0.05, straightReaches: 20 })).not.toBeNull();
    expect(find({ ...drawing, jumps: 25, gapMedianMs: 90 })).not.toBeNull();
  });

  it.each<[string, InteractionSummary]>([
    ['a hand', drawing],
    ['voice control with a grid', { ...drawing, moves: 26, reaches: 0, jumps: 25, gapMedianMs: 2400 }],
    ['even tapping', { ...empty, keys: 60, gapMedianMs: 160, gapSpread: 0.07 }],
    ['an extension that scripts clicks', { ...empty, downs: 6, untrusted: 6 }],
    ['a steady ruler', { ...drawing, straightReaches: 20 }],
    ['a finger', { ...empty, downs: 20, touches: 20, ups: 20, gapMedianMs: 300, gapSpread: 0.4 }],
    ['a single press', { ...empty, downs: 1, ups: 1 }],
  ])('leaves %s alone', (_what, interaction) => {
    expect(find(interaction, 40)).toBeNull();
  });

  it('waits for five answers, and for half of them', () => {
    expect(find(ruled, 4)).toBeNull();
    const mixed = [...times(10, { interaction: ruled }), ...times(11, { interaction: drawing })];
    expect(machineInput.judge(worked(mixed), {})).toBeNull();
  });
});

describe('the signal "followed a text that only programs can read"', () => {
  it('gives a hint the first time and a pause the second', () => {
    const once = worked([...times(5, {}), { repeatsCode: true }]);
    expect(judge(once, [{ id: 'repeated-code', params: {} }])?.verdict).toBe('hint');
    const twice = worked([...times(5, {}), ...times(2, { repeatsCode: true })], {
      actions: [action('hint', 5)],
    });
    expect(judge(twice, [{ id: 'repeated-code', params: {} }])?.verdict).toBe('pause');
    expect(repeatedCode.judge(worked(times(40, {})), {})).toBeNull();
  });
});

describe('the signal "outlines of a public segmentation model"', () => {
  const find = (list: Partial<HistoryAnswer>[]) => modelOutlines.judge(worked(list), {});

  it('finds exact matches among the compared outlines', () => {
    const list = [...times(30, {}), ...times(3, { publicIou: 0.997 }), ...times(2, { publicIou: 0.93 })];
    expect(find(list)?.evidence).toEqual(['answer-30', 'answer-31', 'answer-32']);
  });

  it('leaves good drawings, smart tools and instances without a model alone', () => {
    expect(find(times(40, { publicIou: 0.97 }))).toBeNull();
    expect(find(times(40, { publicIou: 1, isAssisted: true }))).toBeNull();
    expect(find(times(40, { publicIou: null }))).toBeNull();
  });
});

describe('the signal "the mistakes of a model"', () => {
  const hard = (n: number, same: number, expected: number | null = null) =>
    history({
      checks: Array.from({ length: n }, (_, i) =>
        check(i, { expected, model: { level: 0.1, agreement: i < same ? 0.95 : 0.1 } }),
      ),
    });

  it('finds the one who repeats them', () => {
    expect(modelMistakes.judge(hard(4, 4), {})?.evidence).toHaveLength(4);
    expect(modelMistakes.judge(hard(6, 6), {})).toMatchObject({ isStrong: true });
  });

  it('leaves coincidence, and items that people get wrong as well, alone', () => {
    expect(modelMistakes.judge(hard(20, 3), {})).toBeNull();
    expect(modelMistakes.judge(hard(2, 2), {})).toBeNull();
    expect(modelMistakes.judge(hard(6, 6, 0.4), {})).toBeNull();
  });

  it('does not count agreement where the model is right', () => {
    const easy = Array.from({ length: 30 }, (_, i) => check(i, { model: { level: 0.9, agreement: 0.95 } }));
    expect(modelMistakes.judge(history({ checks: easy }), {})).toBeNull();
  });
});

describe('the human signals together', () => {
  const anyCount = fc.oneof(fc.constant(0), fc.nat(50), fc.constant(1_000_000));
  const anySummary: fc.Arbitrary<InteractionSummary> = fc.record({
    version: fc.constant(1 as const),
    downs: anyCount,
    touches: anyCount,
    moves: anyCount,
    ups: anyCount,
    keys: anyCount,
    wheels: anyCount,
    clicks: anyCount,
    untrusted: anyCount,
    leaves: anyCount,
    pathPx: fc.double({ min: 0, max: 1e9, noNaN: true }),
    reaches: anyCount,
    straightReaches: anyCount,
    steadyReaches: anyCount,
    straightness: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    speedPeaks: anyCount,
    jumps: anyCount,
    pauses: anyCount,
    gapMedianMs: fc.option(fc.double({ min: 0, max: 86_400_000, noNaN: true })),
    gapSpread: fc.option(fc.double({ min: 0, max: 20, noNaN: true })),
    firstMs: fc.option(fc.double({ min: 0, max: 86_400_000, noNaN: true })),
    isResumed: fc.boolean(),
  });
  const anyAnswer: fc.Arbitrary<Partial<HistoryAnswer>> = fc.record({
    interaction: fc.option(anySummary),
    repeatsCode: fc.boolean(),
    isAssisted: fc.boolean(),
    points: fc.nat(200),
    publicIou: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });

  it('never go further than a pause, and name only answers that exist', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 80 }), (list) => {
        const past = worked(list, {
          browserSince: minute(0),
          actions: [action('pause', -2), action('resume', -1)],
        });
        const ids = new Set(past.answers.map(({ id }) => id));
        for (const { id } of humanSignals) {
          const found = findRule(id)?.judge(past, {});
          for (const evidence of found?.evidence ?? []) expect(ids).toContain(evidence);
        }
        expect(judge(past, humanSignals)?.verdict).not.toBe('end');
        for (const { steps } of dryRun([past], humanSignals))
          for (const { judgement } of steps) expect(judgement.verdict).not.toBe('end');
      }),
    );
  });

  it('do not depend on when an answer came, only on its order', () => {
    fc.assert(
      fc.property(fc.array(anyAnswer, { maxLength: 50 }), (list) => {
        const past = worked(list);
        const later = {
          ...past,
          answers: past.answers.map((each, i) => ({ ...each, at: minute(1000 + 7 * i) })),
        };
        for (const { id } of humanSignals)
          expect(findRule(id)?.judge(later, {})).toEqual(findRule(id)?.judge(past, {}));
      }),
    );
  });
});
