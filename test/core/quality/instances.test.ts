import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCounts, type Mask, merge, rasterizeBox } from '@/lib/core/mask';
import {
  groupInstances,
  instanceF1,
  instanceScore,
  isSameDrawing,
  matchInstances,
} from '@/lib/core/quality/instances';
import { type StagePrior, settle, type WeighedAnswer } from '@/lib/core/quality/posterior';
import { rival10Policy } from '@/lib/core/quality/rival10';
import { type Scored, scoreCheck } from '@/lib/core/quality/score-check';
import { createRng } from '@/lib/demo/scenes/prng';

const size = { height: 40, width: 80 };
const box = (x: number, y = 0, width = 10, height = 10): Mask =>
  rasterizeBox([x, y, width, height], size.height, size.width);

const drawing = (...masks: Mask[]): Scored => ({
  value: {
    kind: 'mask',
    shapes: masks.map((mask, i) => ({
      kind: 'bitmap',
      op: 'add',
      ...(i > 0 && { instance: i + 1 }),
      size: [size.height, size.width],
      counts: encodeCounts(mask),
    })),
    ...(masks.length > 1 && { instances: masks.map(encodeCounts) }),
  },
  mask: encodeCounts(merge(masks)),
});
const nothing: Scored = { value: { kind: 'nothing' }, mask: null };

const answers = (list: readonly Scored[], accuracy = 0.9): WeighedAnswer[] =>
  list.map((said, i) => ({ workerId: `w${i}`, accuracy, ...said }));
const settled = (list: readonly WeighedAnswer[], prior?: StagePrior) => {
  const result = settle(list, rival10Policy, size, prior);
  if (!result) throw new Error('There are answers.');
  return result;
};
const masksIn = (value: { kind: string; instances?: readonly string[] }) => value.instances ?? [];

describe('matching instances', () => {
  it('is one to one and takes the best pairs first', () => {
    const pairs = matchInstances([box(0), box(20)], [box(19), box(2), box(60)]);
    expect(pairs.map(({ a, b }) => [a, b])).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it('scores one instance like its mask, and missing, additional and merged ones lower', () => {
    expect(instanceScore([box(0)], [box(5)])).toBeCloseTo(1 / 3, 12);
    expect(instanceScore([box(0), box(20)], [box(20), box(0)])).toBe(1);
    expect(instanceScore([box(0)], [box(0), box(20)])).toBeCloseTo(2 / 3, 12);
    expect(instanceScore([merge([box(0), box(20)])], [box(0), box(20)])).toBeCloseTo(1 / 3, 12);
    expect(instanceF1([merge([box(0), box(20)])], [box(0), box(20)])).toBe(0);
    expect(instanceF1([box(0), box(21)], [box(0), box(20)])).toBe(1);
  });

  it('groups what several people drew, with at most one instance of each person', () => {
    const groups = groupInstances([
      [box(0), box(20)],
      [box(21), box(1)],
      [box(2), box(3)],
    ]);
    const members = groups
      .map((group) => group.map(({ answer }) => answer))
      .sort((a, b) => b.length - a.length);
    expect(members).toEqual([[0, 1, 2], [0, 1], [2]]);
  });
});

describe('consensus of several instances', () => {
  const wheels = drawing(box(0), box(30));
  const wheelsNear = drawing(box(31), box(1));

  it('keeps the instances that the majority drew', () => {
    const three = drawing(box(0), box(30), box(60));
    const { value, mask } = settled(answers([wheels, wheelsNear, three]));
    expect(masksIn(value)).toHaveLength(2);
    expect(mask).toBe(encodeCounts(merge(masksIn(value).map((_, i) => (i === 0 ? box(0) : box(30))))));
    const more = settled(answers([three, three, wheels]));
    expect(isSameDrawing(more, three)).toBe(true);
  });

  it('decides between two wheels and both drawn as one by votes, and never keeps both', () => {
    const both = drawing(merge([box(0), box(30)]));
    expect(masksIn(settled(answers([wheels, wheels, both])).value)).toHaveLength(2);
    expect(masksIn(settled(answers([both, both, wheels])).value)).toHaveLength(0);
    const tie = settled(answers([wheels, both]));
    expect(tie.mask).toBe(both.mask);
    expect(tie.explanation.rule).toBe('tie');
    expect(tie.confidence).toBeLessThan(0.6);
  });

  it('gives two instances the confidence of one that is as contested', () => {
    const [shift, far] = [fc.constantFrom(0, 1, 2, 3), 40];
    const list = fc.array(fc.tuple(fc.option(shift, { freq: 4 }), fc.constantFrom(0.55, 0.7, 0.9)), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(list, (given) => {
        const weigh = (draw: (x: number) => Scored): WeighedAnswer[] =>
          given.map(([x, accuracy], i) => ({
            workerId: `w${i}`,
            accuracy,
            ...(x === null ? nothing : draw(x)),
          }));
        const one = settled(weigh((x) => drawing(box(x))));
        const two = settled(weigh((x) => drawing(box(x), box(x + far))));
        expect(two.confidence).toBeCloseTo(one.confidence, 12);
        expect(two.isSure).toBe(one.isSure);
        expect(masksIn(two.value)).toHaveLength(one.mask === null ? 0 : 2);
      }),
    );
  });

  it('settles single drawings exactly as before there were instances', () => {
    const rng = createRng(7);
    const pick = <T>(list: readonly T[]): T => list[rng.integer(0, list.length - 1)] as T;
    const hash = createHash('sha256');
    for (let round = 0; round < 300; round++) {
      const list = Array.from({ length: rng.integer(1, 5) }, (_, i) => ({
        workerId: `w${i}`,
        accuracy: pick([0.4, 0.5, 0.8, 0.9]),
        ...pick([nothing, drawing(box(0)), drawing(box(1)), drawing(box(3)), drawing(box(40))]),
      }));
      hash.update(JSON.stringify(settled(list, { frequencies: { present: 0.8 }, sharedError: 0.02 })));
    }
    expect(hash.digest('hex').slice(0, 16)).toBe('1f53ce8b16f3cde3');
  });

  const shapes = [nothing, drawing(box(0)), wheels, wheelsNear, drawing(box(2), box(31), box(60))];
  const many = fc.array(
    fc.tuple(
      fc.constantFrom(...shapes, drawing(merge([box(0), box(30)])), drawing(box(0), box(4))),
      fc.constantFrom(0.4, 0.5, 0.8, 0.9),
    ),
    { minLength: 1, maxLength: 6 },
  );
  const weighed = many.map((list) =>
    list.map(([said, accuracy], i): WeighedAnswer => ({ workerId: `w${i}`, accuracy, ...said })),
  );

  it('does not depend on the order of the answers or on who is who', () => {
    const shuffled = weighed.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, reordered]) => {
        const renamed = reordered.map((answer, i) => ({ ...answer, workerId: `w${i}` }));
        const { supporters, ...outcome } = settled(list);
        const other = settled(renamed);
        expect(other).toEqual({ ...outcome, supporters: expect.any(Array) });
        expect(other.supporters).toHaveLength(supporters.length);
      }),
    );
  });

  it('is kept, and no less probable, when one more answer says the same', () => {
    fc.assert(
      fc.property(weighed, (list) => {
        const before = settled(list);
        const same = { value: before.value, mask: before.mask, accuracy: 0.9, workerId: 'another' };
        const after = settled([...list, same]);
        expect(isSameDrawing(after, before)).toBe(true);
        expect(after.confidence).toBeGreaterThanOrEqual(before.confidence - 1e-9);
      }),
    );
  });

  it('has instances whose union is the mask', () => {
    fc.assert(
      fc.property(weighed, (list) => {
        const { value, mask } = settled(list);
        if (value.kind !== 'mask' || !value.instances) return;
        expect(value.instances.length).toBeGreaterThan(1);
        expect(value.shapes.filter((shape) => shape.op === 'add')).toHaveLength(value.instances.length);
        expect(mask).not.toBeNull();
      }),
    );
  });

  it('sets a flag that at least half of the drawings have', () => {
    const flagged = (said: Scored): Scored => ({
      ...said,
      value: { ...said.value, flags: ['occluded'] } as Scored['value'],
    });
    const flagsIn = (list: Scored[]) => {
      const { value } = settled(answers(list));
      return value.kind === 'mask' ? value.flags : undefined;
    };
    expect(flagsIn([flagged(wheels), flagged(wheels), wheels])).toEqual(['occluded']);
    expect(flagsIn([flagged(wheels), wheels, wheels])).toBeUndefined();
    const [single, other] = [drawing(box(0)), drawing(box(1))];
    expect(flagsIn([flagged(single), flagged(other), other])).toEqual(['occluded']);
    expect(flagsIn([flagged(single), single, other])).toBeUndefined();
  });
});

describe('a check with several instances', () => {
  const gold = drawing(box(0), box(30));
  const score = (answer: Scored, truth = gold) =>
    scoreCheck({ stageKind: 'part-mask', answer, gold: truth, ...size, policy: rival10Policy });

  it('is perfect with all instances, in any order', () => {
    expect(score(drawing(box(30), box(0)))).toEqual({
      score: { level: 1, iou: 1, sizeAware: 1, instances: 1 },
      passed: true,
    });
  });

  it('scores both wheels drawn as one neither fully nor 0', () => {
    const { score: found } = score(drawing(merge([box(0), box(30)])));
    expect(found.iou).toBe(1);
    expect(found.instances).toBeCloseTo(1 / 3, 12);
    expect(found.level).toBeGreaterThan(0.5);
    expect(found.level).toBeLessThan(0.8);
  });

  it('scores one wheel split into two lower than the whole wheel', () => {
    const split = score(drawing(box(0, 0, 5), box(5, 0, 5)), drawing(box(0)));
    expect(split.score.iou).toBe(1);
    expect(split.score.level).toBeLessThan(1);
    expect(split.score.level).toBeGreaterThan(0);
  });

  it('scores a missing wheel lower than all wheels, and higher than nothing', () => {
    const level = (answer: Scored) => score(answer).score.level as number;
    expect(level(drawing(box(0)))).toBeLessThan(level(gold));
    expect(level(drawing(box(0)))).toBeGreaterThan(level(nothing));
  });

  it('of a single instance has no score of instances', () => {
    expect(Object.keys(score(drawing(box(0)), drawing(box(1))).score)).toEqual(['level', 'iou', 'sizeAware']);
  });
});
