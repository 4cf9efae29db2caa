import { describe, expect, it } from 'vitest';
import { encodeCounts, rasterizeBox } from '@/lib/core/mask';
import { examResult, examVerdict, shortestExam } from '@/lib/core/quality/exam';
import { findMistakes, type ItemOutcome, maskOutcome } from '@/lib/core/quality/mistakes';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { createRng, type Rng } from '@/lib/demo/scenes/prng';

const hits = (truePositives: number, falsePositives: number, falseNegatives: number) => ({
  truePositives,
  falsePositives,
  falseNegatives,
});

const adaptive = {
  ...rival10Policy,
  attributeExam: { ...rival10Policy.attributeExam, isAdaptive: true },
  maskExam: { ...rival10Policy.maskExam, masks: 15, isAdaptive: true },
};

describe('the result of an exam', () => {
  it('sums over all images before it divides, and asks for precision and recall jointly', () => {
    const scores = [hits(3, 1, 1), hits(6, 2, 2)];
    expect(examResult('attributes', scores, rival10Policy)).toEqual({
      precision: 0.75,
      recall: 0.75,
      meanIou: null,
      passed: true,
    });
    expect(examResult('attributes', [...scores, hits(0, 0, 1)], rival10Policy).passed).toBe(false);
    expect(examResult('attributes', [...scores, hits(0, 1, 0)], rival10Policy).passed).toBe(false);
  });

  it('is the mean of what is held against the bar for masks', () => {
    const scores = [{ level: 0.6 }, { level: 0.8 }, { level: 0.7 }];
    const { meanIou, passed } = examResult('part-mask', scores, rival10Policy);
    expect(meanIou).toBeCloseTo(0.7, 12);
    expect(passed).toBe(true);
    expect(examResult('object-mask', [{ level: 0.69 }], rival10Policy).passed).toBe(false);
  });

  it('is not passed by answering nothing', () => {
    expect(examResult('attributes', [], rival10Policy).passed).toBe(false);
    expect(examResult('part-mask', [], rival10Policy)).toMatchObject({ meanIou: null, passed: false });
  });
});

describe('an exam of a fixed length', () => {
  it('goes on to its last item, however clear it is', () => {
    const perfect = Array.from({ length: 19 }, () => hits(4, 0, 0));
    expect(examVerdict('attributes', perfect, rival10Policy)).toBe('go-on');
    expect(examVerdict('attributes', [...perfect, hits(4, 0, 0)], rival10Policy)).toBe('passed');
  });
});

describe('an adaptive exam', () => {
  it('ends as soon as the interval clears the bar, but not before the shortest exam', () => {
    const perfect = (n: number) => Array.from({ length: n }, () => hits(4, 0, 0));
    expect(examVerdict('attributes', perfect(shortestExam.attributes - 1), adaptive)).toBe('go-on');
    expect(examVerdict('attributes', perfect(shortestExam.attributes), adaptive)).toBe('passed');
  });

  it('ends as soon as one of precision and recall surely misses the bar', () => {
    const blind = Array.from({ length: shortestExam.attributes }, () => hits(1, 0, 3));
    expect(examVerdict('attributes', blind, adaptive)).toBe('failed');
  });

  it('goes on while it is unsure, and decides at its end as any exam does', () => {
    const onTheBar = (n: number) => Array.from({ length: n }, () => hits(3, 1, 1));
    expect(examVerdict('attributes', onTheBar(19), adaptive)).toBe('go-on');
    expect(examVerdict('attributes', onTheBar(20), adaptive)).toBe('passed');
  });

  it('is not fooled by three drawings that happen to score alike', () => {
    const levels = (level: number, n: number) => Array.from({ length: n }, () => ({ level }));
    expect(examVerdict('part-mask', levels(0.75, 3), adaptive)).toBe('go-on');
    expect(examVerdict('part-mask', levels(0.98, 3), adaptive)).toBe('passed');
    expect(examVerdict('part-mask', levels(0.2, 3), adaptive)).toBe('failed');
  });
});

/** A drawing's IoU: normal with the spread that was measured between images, by the sum of twelve uniforms. */
function drawing(mean: number, rng: Rng): { level: number } {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += rng.next();
  return { level: Math.min(1, Math.max(0, mean + 0.15 * sum)) };
}

function sit(mean: number, policy: typeof rival10Policy, rng: Rng) {
  const scores: { level: number }[] = [];
  for (;;) {
    const verdict = examVerdict('part-mask', scores, policy);
    if (verdict !== 'go-on') return { passed: verdict === 'passed', length: scores.length };
    scores.push(drawing(mean, rng));
  }
}

function sitMany(mean: number, policy: typeof rival10Policy) {
  const rng = createRng(11);
  const runs = Array.from({ length: 1000 }, () => sit(mean, policy, rng));
  return {
    passed: runs.filter((run) => run.passed).length / runs.length,
    length: runs.reduce((sum, run) => sum + run.length, 0) / runs.length,
  };
}

describe('how sharp the mask exam is', () => {
  it('lets 23 % of those at 0.65 pass and fails 23 % of those at 0.75 with five masks', () => {
    expect(Math.abs(sitMany(0.65, rival10Policy).passed - 0.23)).toBeLessThan(0.04);
    expect(Math.abs(sitMany(0.75, rival10Policy).passed - 0.77)).toBeLessThan(0.04);
  });

  it('is sharper with up to fifteen, which clear cases do not need', () => {
    expect(sitMany(0.65, adaptive).passed).toBeLessThan(0.17);
    expect(sitMany(0.75, adaptive).passed).toBeGreaterThan(0.83);
    expect(sitMany(0.9, adaptive).length).toBeLessThan(8);
    expect(sitMany(0.4, adaptive).length).toBeLessThan(6);
  });
});

const form = (missed: number, extra: number): ItemOutcome => ({ isMask: false, found: 5, missed, extra });
const mask = (found: number, missed: number, extra: number): ItemOutcome => ({
  isMask: true,
  found,
  missed,
  extra,
});
const times = (count: number, item: ItemOutcome) => Array<ItemOutcome>(count).fill(item);

describe('the kinds of mistakes in an exam', () => {
  it.each<[string, ItemOutcome[], string[]]>([
    ['everything right', times(5, mask(100, 0, 0)), []],
    ['a little off the edge', times(5, mask(100, 10, 10)), []],
    ['parts missed in forms', times(4, form(2, 0)), ['missedParts']],
    ['more too much than missed', [...times(3, form(1, 1)), form(0, 1)], ['extraParts', 'missedParts']],
    ['outlines too large', times(3, mask(100, 0, 60)), ['tooLarge']],
    ['outlines too small', times(3, mask(50, 50, 0)), ['tooSmall']],
    ['nothing drawn', times(3, mask(0, 100, 0)), ['drewNothing']],
    ['something drawn where nothing is', times(3, mask(0, 0, 80)), ['drewAbsent']],
    ['something else drawn', times(3, mask(5, 95, 95)), ['wrongPlace']],
  ])('%s', (_, items, kinds) => {
    expect(findMistakes(items)).toEqual(kinds);
  });

  it('are named only when several items show them, so that no single answer is given away', () => {
    expect(findMistakes([form(1, 0), ...times(19, form(0, 0))])).toEqual([]);
    expect(findMistakes([...times(4, form(1, 0)), ...times(16, form(0, 0))])).toEqual([]);
    expect(findMistakes([...times(5, form(1, 0)), ...times(15, form(0, 0))])).toEqual(['missedParts']);
  });

  it('are none without items', () => {
    expect(findMistakes([])).toEqual([]);
  });
});

it('compares masks in pixels, an empty one included', () => {
  const box = (x: number, width: number) => encodeCounts(rasterizeBox([x, 0, width, 10], 20, 40));
  expect(maskOutcome(box(0, 10), box(5, 10), 20, 40)).toEqual(mask(50, 50, 50));
  expect(maskOutcome(null, box(5, 10), 20, 40)).toEqual(mask(0, 100, 0));
  expect(maskOutcome(box(0, 10), null, 20, 40)).toEqual(mask(0, 0, 100));
  expect(maskOutcome(null, null, 20, 40)).toEqual(mask(0, 0, 0));
});
