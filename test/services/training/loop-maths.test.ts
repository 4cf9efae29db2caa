import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { area, boundingBox, decodeCounts } from '@/lib/core/mask';
import { masksFromLogits } from '@/lib/services/inference/predict/masks-from-logits';
import { pooled, softmax, uncertaintyOf } from '@/lib/services/inference/predict/run-model';
import { seenWindow } from '@/lib/services/inference/predict/view-window';
import { measureDisagreement } from '@/lib/services/inference/predictions';
import { OBJECT_MASK, readServingContract } from '@/lib/services/inference/serving-contract';
import { apart, type Candidate, poolSize, selectDiverse } from '@/lib/services/training/loop/select-next';
import { compare, ENOUGH, mean, median, share } from '@/lib/services/training/loop/suggestion-effect';
import { brightContract } from './loop-model';

const feature = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 3, maxLength: 3 });
const candidates: fc.Arbitrary<Candidate[]> = fc
  .array(
    fc.record({
      uncertainty: fc.double({ min: 0, max: 1, noNaN: true }),
      feature: fc.option(feature, { freq: 5 }),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map((each, n) => ({ ...each, id: `image-${String(n).padStart(3, '0')}` })));

describe('the choice of what to ask next', () => {
  it('is of different candidates, as many as wanted or there are, whatever their order', () => {
    fc.assert(
      fc.property(
        candidates,
        fc.integer({ min: 1, max: 20 }),
        fc.infiniteStream(fc.nat()),
        (all, count, chance) => {
          const chosen = selectDiverse(all, count);
          expect(chosen).toHaveLength(Math.min(count, all.length));
          expect(new Set(chosen).size).toBe(chosen.length);
          expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(chosen));
          const keyed = all.map((each) => ({ each, key: chance.next().value as number }));
          const shuffled = keyed.sort((a, b) => a.key - b.key).map(({ each }) => each);
          expect(selectDiverse(shuffled, count)).toEqual(chosen);
        },
      ),
    );
  });

  it('leaves out nobody from the pool who is farther from the chosen than these are from each other', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: 2, max: 8 }), (all, count) => {
        const known = all.filter((each) => each.feature && Math.hypot(...each.feature) > 0.01);
        const unit = ({ feature: of }: Candidate) =>
          (of ?? []).map((value) => value / Math.hypot(...(of ?? [])));
        const chosen = selectDiverse(known, count);
        const pool = [...known]
          .sort((a, b) => b.uncertainty - a.uncertainty || (a.id < b.id ? -1 : 1))
          .slice(0, poolSize(known.length, count));
        const picked = pool.filter(({ id }) => chosen.includes(id));
        const rest = pool.filter(({ id }) => !chosen.includes(id));
        const nearest = (one: Candidate, others: Candidate[]) =>
          Math.min(...others.map((other) => apart(unit(one), unit(other))));
        const spread = Math.min(
          ...picked.map((one) =>
            nearest(
              one,
              picked.filter((other) => other !== one),
            ),
          ),
        );
        for (const one of rest) expect(nearest(one, picked)).toBeLessThanOrEqual(spread + 1e-9);
      }),
    );
  });

  it('begins with the most uncertain and does not ask for its twin before something else', () => {
    const all = [
      { id: 'a', uncertainty: 0.9, feature: [1, 0, 0] },
      { id: 'b', uncertainty: 0.8, feature: [2, 0, 0] },
      { id: 'c', uncertainty: 0.1, feature: [0, 1, 0] },
      { id: 'd', uncertainty: 0.7, feature: null },
    ];
    expect(selectDiverse(all, 4)).toEqual(['a', 'c', 'b', 'd']);
  });

  it('leaves out the surer half where there are few, however much they differ', () => {
    const all = Array.from({ length: 10 }, (_, n) => ({
      id: `image-${n}`,
      uncertainty: n < 5 ? 0.1 : 0.9,
      feature: n < 5 ? [n - 2, 5, n] : [1, n / 1000, 0],
    }));
    for (const count of [1, 2, 5])
      for (const id of selectDiverse(all, count)) expect(Number(id.at(-1))).toBeGreaterThanOrEqual(5);
    expect(selectDiverse(all, 10)).toHaveLength(10);
    expect([poolSize(0, 5), poolSize(10, 2), poolSize(10, 8), poolSize(1000, 2)]).toEqual([0, 5, 8, 16]);
  });
});

describe('what a model says', () => {
  it('is as unsure as its scores are even', () => {
    expect(uncertaintyOf(softmax([3, 3, 3]))).toBeCloseTo(1);
    expect(uncertaintyOf(softmax([100, 0, 0]))).toBeCloseTo(0);
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 2, maxLength: 40 }),
        (logits) => {
          const scores = softmax(logits);
          expect(scores.reduce((sum, each) => sum + each, 0)).toBeCloseTo(1);
          expect(uncertaintyOf(scores)).toBeGreaterThanOrEqual(0);
          expect(uncertaintyOf(scores)).toBeLessThanOrEqual(1);
        },
      ),
    );
    expect(pooled([1, 3, 10, 20], 2)).toEqual([2, 15]);
  });

  it('becomes masks in pixels of the picture, one for a part that two classes share, and one of the object', () => {
    const side = 8;
    const plane = side * side;
    const data = new Float32Array(4 * plane);
    for (let y = 0; y < side; y++)
      for (let x = 0; x < side; x++) {
        const at = y * side + x;
        data[at] = 1;
        // Two channels of wheels, one beside the other; above them a roof.
        if (y >= 4 && y < 6) data[(x < 4 ? 1 : 2) * plane + at] = 2;
        if (y < 2) data[3 * plane + at] = 2;
      }
    const image = { width: 80, height: 40 };
    const whole = { left: 0, top: 0, ...image };
    const masks = masksFromLogits(
      { data, height: side, width: side },
      ['wheel', 'wheel', 'roof'],
      whole,
      image,
    );
    expect(Object.keys(masks).sort()).toEqual([OBJECT_MASK, 'roof', 'wheel']);
    const of = (name: string) => decodeCounts(masks[name] ?? '', image.height, image.width);
    expect(boundingBox(of('wheel'))).toEqual([0, 20, 80, 10]);
    expect(boundingBox(of('roof'))).toEqual([0, 0, 80, 10]);
    expect(area(of(OBJECT_MASK))).toBe(area(of('wheel')) + area(of('roof')));
  });

  it('is said of the middle of the picture where it looks at the middle', () => {
    const window = seenWindow({ side: 224, view: 'center' }, { width: 512, height: 256 });
    expect(window).toEqual({ left: 144, top: 16, width: 224, height: 224 });
    const plane = 4;
    const data = Float32Array.from({ length: 2 * plane }, (_, at) => (at < plane ? 0 : 1));
    const masks = masksFromLogits({ data, height: 2, width: 2 }, ['wheel'], window, {
      width: 512,
      height: 256,
    });
    expect(boundingBox(decodeCounts(masks.wheel ?? '', 256, 512))).toEqual([144, 16, 224, 224]);
  });

  it('disagrees with a label by what both do not share, and about nothing it was not taught', () => {
    const critic = { modelId: '', classes: ['bird', 'dog'], draws: new Set(['', 'beak']) };
    const said = { imageId: '', scores: [0.9, 0.1], masks: {} };
    const label = {
      stageKind: 'part-mask',
      target: 'beak',
      value: { kind: 'nothing' },
      mask: null,
      width: 4,
      height: 4,
    } as const;
    expect(measureDisagreement(label, said, critic)).toBe(0);
    expect(measureDisagreement({ ...label, target: 'tail' }, said, critic)).toBeNull();
    expect(measureDisagreement({ ...label, target: 'beak#2:dog' }, said, critic)).toBeNull();
    expect(measureDisagreement(label, undefined, critic)).toBeNull();
    const oracle = { ...label, stageKind: 'oracle', value: { kind: 'class', className: 'dog' } } as const;
    expect(measureDisagreement(oracle, said, critic)).toBeCloseTo(0.9);
  });

  it('is read by a contract that fits, and a model of whole objects draws no parts', () => {
    const objects = { ...brightContract, maskValues: ['background', 'bird', 'dog'] };
    expect(readServingContract(objects).channels).toEqual([null, null]);
    expect(() =>
      readServingContract({ ...brightContract, maskValues: ['background', 'a', 'b', 'c'] }),
    ).toThrow('neither');
    expect(readServingContract({ ...brightContract, maskValues: [] }).outputs.masks).toBeNull();
  });
});

describe('shown against withheld', () => {
  it('tells no difference before there are enough on both sides', () => {
    const many = Array.from({ length: ENOUGH }, (_, n) => n);
    expect(compare(median, many, many.slice(1)).difference).toBeNull();
    expect(compare(median, many, many).difference?.value).toBe(0);
    expect(compare(mean, [], many)).toMatchObject({ shown: null, difference: null });
  });

  it('is the difference of both figures, within an interval that has it inside', () => {
    const list = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: ENOUGH, maxLength: 80 });
    fc.assert(
      fc.property(list, list, fc.constantFrom(median, mean), (a, b, summary) => {
        const { shown, withheld, difference } = compare(summary, a, b);
        expect(difference?.value).toBeCloseTo((shown?.value ?? 0) - (withheld?.value ?? 0));
        expect(difference?.low).toBeLessThanOrEqual((difference?.value ?? 0) + 1e-9);
        expect(difference?.high).toBeGreaterThanOrEqual((difference?.value ?? 0) - 1e-9);
      }),
    );
    // Newcombe 1998, table II, (a): 56/70 against 48/80.
    const of = (ones: number, n: number) => Array.from({ length: n }, (_, at) => Number(at < ones));
    const { difference } = compare(share, of(56, 70), of(48, 80));
    expect(difference?.value).toBeCloseTo(0.2, 4);
    expect(difference?.low).toBeCloseTo(0.0524, 3);
    expect(difference?.high).toBeCloseTo(0.3339, 3);
  });
});
