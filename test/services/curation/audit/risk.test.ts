import { describe, expect, it } from 'vitest';
import { rasterizeBox, rasterizeShapes, type Shape, union } from '@/lib/core/mask';
import { riskOf } from '@/lib/core/quality/risk';
import { type Suspect, warnings, warningsAbout } from '@/lib/core/quality/warnings';

const [HEIGHT, WIDTH] = [100, 120];
const box = (x: number, y: number, w: number, h: number) => rasterizeBox([x, y, w, h], HEIGHT, WIDTH);

const clean: Suspect = {
  stageKind: 'part-mask',
  mask: box(40, 40, 20, 20),
  shapes: [],
  object: box(20, 20, 60, 60),
  undrawn: [],
};

const polygon = (...outer: number[]): Shape => ({ kind: 'polygon', op: 'add', outer, holes: [] });
const bowTie = polygon(40, 40, 60, 60, 60, 40, 50, 38, 40, 60);

describe('a warning', () => {
  it.each<[string, Partial<Suspect>]>([
    ['touches-border', { mask: box(0, 40, 20, 20), object: null }],
    ['touches-border', { mask: box(100, 80, 20, 20), object: null }],
    ['specks', { mask: union(box(30, 30, 40, 40), box(75, 75, 2, 2)) }],
    ['bow-ties', { shapes: [bowTie], mask: rasterizeShapes([bowTie], HEIGHT, WIDTH) }],
    ['four-corners', { shapes: [polygon(40, 40, 60, 40, 60, 60, 40, 60)] }],
    ['tiny', { mask: box(40, 40, 5, 5) }],
    ['part-outside-object', { mask: box(70, 40, 20, 20) }],
    ['attribute-without-mask', { stageKind: 'attributes', mask: null, undrawn: ['tail'] }],
  ])('%s is told where it is due, and nothing else is', (id, odd) => {
    expect(warningsAbout({ ...clean, ...odd })).toEqual([id]);
  });

  it('is not told of a careful drawing, of nothing, or of a part that is two pixels too fat', () => {
    expect(warningsAbout(clean)).toEqual([]);
    expect(warningsAbout({ ...clean, mask: null })).toEqual([]);
    expect(warningsAbout({ ...clean, mask: box(62, 40, 20, 20) })).toEqual([]);
  });

  it('always speaks for an error', () => {
    for (const { odds } of warnings) expect(odds).toBeGreaterThan(1);
    expect(new Set(warnings.map(({ id }) => id)).size).toBe(warnings.length);
  });
});

describe('the risk of a label', () => {
  const base = { answers: [], confidence: 0.9, bar: 0.7, warnings: [] };
  const known = (risk: ReturnType<typeof riskOf>) => ({ ...risk, risk: risk.risk ?? Number.NaN });
  const by = (...answers: [accuracy: number, agreement: number][]) =>
    known(riskOf({ ...base, answers: answers.map(([accuracy, agreement]) => ({ accuracy, agreement })) }));

  it('is what its only author gets wrong', () => {
    const near = expect.closeTo(0.1, 6);
    expect(by([0.9, 1])).toEqual({ risk: near, rank: near, agreement: null });
    expect(by([0.6, 1]).risk).toBeCloseTo(0.4, 6);
  });

  it('is what the label doubts itself, where it has no author', () => {
    expect(riskOf(base).risk).toBeCloseTo(0.1, 6);
  });

  it('is not known of an imported label before a sample is audited, and its warnings still order the queue', () => {
    const plain = riskOf({ ...base, confidence: null });
    const warned = riskOf({ ...base, confidence: null, warnings: ['bow-ties'] });
    expect(plain).toEqual({ risk: null, rank: expect.any(Number), agreement: null });
    expect(warned.risk).toBeNull();
    expect(warned.rank).toBeGreaterThan(plain.rank);
    expect(warned.rank).toBeLessThan(riskOf({ ...base, confidence: 1 }).rank);
    const answered = riskOf({ ...base, confidence: null, answers: [{ accuracy: 0.9, agreement: 1 }] });
    expect(answered.risk).toBeCloseTo(0.1, 6);
  });

  it('falls when others say the same, and rises when they do not', () => {
    const alone = by([0.8, 1]).risk;
    expect(by([0.8, 1], [0.8, 0.9]).risk).toBeLessThan(alone);
    expect(by([0.8, 1], [0.8, 0.3]).risk).toBeGreaterThan(alone);
    expect(by([0.8, 1], [0.8, 0.3]).agreement).toBeCloseTo(0.3);
  });

  it('tells a perfect match from one that just passes', () => {
    expect(by([0.8, 1], [0.8, 0.99]).risk).toBeLessThan(by([0.8, 1], [0.8, 0.71]).risk);
  });

  it('rises with every warning by its odds, and never becomes certain', () => {
    const warned = (...ids: string[]) => known(riskOf({ ...base, warnings: ids })).risk;
    expect(warned('bow-ties') / (1 - warned('bow-ties'))).toBeCloseTo(2 / 9, 6);
    expect(warned('bow-ties', 'tiny')).toBeGreaterThan(warned('bow-ties'));
    expect(warned('a-warning-of-an-older-version')).toBeCloseTo(0.1, 6);
    const worst = riskOf({ ...base, confidence: 0, warnings: warnings.map(({ id }) => id) });
    expect(worst.risk).toBeLessThan(1);
    expect(riskOf({ ...base, confidence: 1 }).risk).toBeGreaterThan(0);
  });
});
