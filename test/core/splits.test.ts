import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Assignment,
  allocateQuotas,
  buildClusters,
  defaultFractions,
  defaultShares,
  findLeaks,
  type Member,
  raiseSmallQuotas,
  selectLabelled,
  splitByGroup,
  splitIntoFolds,
  splitStratified,
  type Tie,
} from '@/lib/core/splits';

const member = (id: string, className: string | null = 'dog', groupKey: string | null = null): Member => ({
  id,
  className,
  groupKey,
});

const dataset = fc
  .array(
    fc.record({
      className: fc.constantFrom('dog', 'cat', 'car', null),
      groupKey: fc.option(fc.constantFrom('berlin', 'ulm', 'bonn'), { nil: null, freq: 4 }),
    }),
    { minLength: 1, maxLength: 80 },
  )
  .map((rows) => rows.map((row, i): Member => ({ id: `image-${i}`, ...row })));

const withTies = dataset.chain((members) =>
  fc
    .array(fc.tuple(fc.nat(members.length - 1), fc.nat(members.length - 1)), { maxLength: 20 })
    .map((pairs) => ({
      members,
      ties: pairs.map(([a, b]): Tie => ({ a: `image-${a}`, b: `image-${b}`, why: 'looks alike' })),
    })),
);

const settings = { seed: 'seven', shares: defaultShares };
/** Every way to divide `total` among `parts`. */
function* divisions(total: number, parts: number): Generator<number[]> {
  if (parts === 1) yield [total];
  else
    for (let first = total; first >= 0; first--)
      for (const rest of divisions(total - first, parts - 1)) yield [first, ...rest];
}

/** Squared distance to the exact shares, scaled so that it is a whole number. */
const distance = (counts: readonly number[], total: number, shares: readonly number[]): number => {
  const sum = shares.reduce((a, b) => a + b, 0);
  return counts.reduce((all, count, i) => all + (count * sum - total * (shares[i] as number)) ** 2, 0);
};

/** The closest division by brute force; of equally close ones the one that favours earlier parts. */
function closestDivision(total: number, shares: readonly number[]): number[] {
  let best: number[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const counts of divisions(total, shares.length)) {
    const found = distance(counts, total, shares);
    if (found >= least) continue;
    best = counts;
    least = found;
  }
  return best;
}

const countOf = (assignment: Assignment, part: string) =>
  [...assignment.values()].filter((value) => value === part).length;

describe('quotas', () => {
  it.each([
    [10, { train: 80, val: 10, test: 10 }, [8, 1, 1]],
    // 0.8, 0.1 and 0.1: the largest fraction gets the only image.
    [1, { train: 80, val: 10, test: 10 }, [1, 0, 0]],
    // 4, 0.5 and 0.5: of equal fractions the first part gets the image.
    [5, { train: 80, val: 10, test: 10 }, [4, 1, 0]],
    [15, { train: 80, val: 10, test: 10 }, [12, 2, 1]],
    // 2.33 three times.
    [7, { a: 1, b: 1, c: 1 }, [3, 2, 2]],
    // 0.1 of 30 is 3, although 30 * 0.1 is not in floating point.
    [30, { train: 0.8, val: 0.1, test: 0.1 }, [24, 3, 3]],
    [4, { train: 1, test: 0 }, [4, 0]],
    [0, { train: 1, test: 1 }, [0, 0]],
  ])('of %i images with shares %o are as computed by hand', (total, shares, counts) => {
    expect([...allocateQuotas(total, shares as Record<string, number>).values()]).toEqual(counts);
  });

  it('add up and are as close to the shares as any division', () => {
    const weights = fc
      .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 4 })
      .filter((list) => list.some((weight) => weight > 0));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 25 }), weights, (total, list) => {
        const shares = Object.fromEntries(list.map((weight, i) => [`part-${i}`, weight]));
        const counts = [...allocateQuotas(total, shares).values()];
        expect(counts.reduce((a, b) => a + b, 0)).toBe(total);
        expect(distance(counts, total, list)).toBe(distance(closestDivision(total, list), total, list));
      }),
    );
  });
});

describe('a stratified split', () => {
  it('gives every class its 80, 10 and 10 %', () => {
    const members = ['dog', 'cat'].flatMap((name) =>
      Array.from({ length: 100 }, (_, i) => member(`${name}${i}`, name)),
    );
    const split = splitStratified(members, [], settings);
    for (const name of ['dog', 'cat']) {
      const own = new Map([...split].filter(([id]) => id.startsWith(name)));
      expect(['train', 'val', 'test'].map((part) => countOf(own, part))).toEqual([80, 10, 10]);
    }
  });

  it('assigns everything once, lets nothing straddle, and does not care for the order of rows', () => {
    fc.assert(
      fc.property(withTies, ({ members, ties }) => {
        const split = splitStratified(members, ties, settings);
        expect([...split.keys()].sort()).toEqual(members.map(({ id }) => id).sort());
        expect(findLeaks(members, ties, split)).toEqual([]);
        const again = splitStratified([...members].reverse(), [...ties].reverse(), settings);
        expect(new Map([...again].sort())).toEqual(new Map([...split].sort()));
      }),
    );
  });

  it('meets the quotas exactly where nothing is tied', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.string(), (count, seed) => {
        const members = Array.from({ length: count }, (_, i) => member(String(i)));
        const split = splitStratified(members, [], { ...settings, seed });
        const counts = ['train', 'val', 'test'].map((part) => countOf(split, part));
        expect(counts).toEqual(closestDivision(count, [80, 10, 10]));
      }),
      { numRuns: 40 },
    );
  });

  it('changes with its seed, and hardly when the dataset grows', () => {
    const members = Array.from({ length: 1000 }, (_, i) => member(String(i)));
    const split = splitStratified(members, [], settings);
    expect(splitStratified(members, [], { ...settings, seed: 'eight' })).not.toEqual(split);
    const grown = splitStratified(
      [...members, ...Array.from({ length: 100 }, (_, i) => member(`new-${i}`))],
      [],
      settings,
    );
    const moved = members.filter(({ id }) => grown.get(id) !== split.get(id));
    expect(moved.length).toBeLessThan(100);
  });

  it('keeps a group that is larger than a part in one place', () => {
    const members = Array.from({ length: 20 }, (_, i) => member(String(i), 'dog', i < 15 ? 'video' : null));
    const split = splitStratified(members, [], settings);
    expect(new Set(members.slice(0, 15).map(({ id }) => split.get(id)))).toEqual(new Set(['train']));
  });
});

describe('small classes', () => {
  const splitOf = (count: number, minPerClass: number) => {
    const members = Array.from({ length: count }, (_, i) => member(String(i)));
    const split = splitStratified(members, [], { ...settings, minPerClass });
    return ['train', 'val', 'test'].map((part) => countOf(split, part));
  };

  it.each([
    [4, [3, 1, 0]],
    [5, [3, 1, 1]],
    [10, [6, 2, 2]],
    [25, [15, 5, 5]],
    [40, [30, 5, 5]],
    [100, [80, 10, 10]],
  ])('a class of %i images does not leave one image for the test', (count, expected) => {
    expect(splitOf(count, 5)).toEqual(expected);
  });

  it('get exact shares without a minimum', () => {
    expect(splitOf(10, 0)).toEqual([8, 1, 1]);
  });

  it('never take more from the largest split than they leave', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(300), { minLength: 1, maxLength: 6 }),
        fc.nat(50),
        (counts, minPerClass) => {
          const quotas = new Map(counts.map((count, i) => [String(i), count]));
          const raised = [...raiseSmallQuotas(quotas, minPerClass).values()];
          expect(raised.reduce((a, b) => a + b, 0)).toBe(counts.reduce((a, b) => a + b, 0));
          expect(Math.min(...raised)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('a split by group', () => {
  it('shares no group between parts and stays near the shares', () => {
    const members = Array.from({ length: 1580 }, (_, i) => ({
      ...member(String(i)),
      group: `wnid-${i % 158}`,
    }));
    const split = splitByGroup(members, [], settings);
    const parts = new Map<string, Set<string>>();
    for (const { id, group } of members)
      parts.set(group, (parts.get(group) ?? new Set()).add(split.get(id) as string));
    expect([...parts.values()].every((set) => set.size === 1)).toBe(true);
    expect(countOf(split, 'train')).toBeGreaterThanOrEqual(1250);
    expect(countOf(split, 'val')).toBeGreaterThanOrEqual(150);
    expect(countOf(split, 'test')).toBeGreaterThanOrEqual(150);
  });

  it('keeps two groups together that share a picture', () => {
    const members = [
      { ...member('a'), group: 'ulm' },
      { ...member('b'), group: 'bonn' },
      { ...member('c'), group: 'kiel' },
    ];
    const ties: Tie[] = [{ a: 'a', b: 'b', why: 'same file' }];
    const split = splitByGroup(members, ties, { seed: '1', shares: { train: 1, test: 1 } });
    expect(split.get('a')).toBe(split.get('b'));
    expect(split.get('c')).not.toBe(split.get('a'));
  });
});

describe('folds', () => {
  it('are of equal size, class by class', () => {
    const members = Array.from({ length: 50 }, (_, i) => member(String(i), i % 2 ? 'dog' : 'cat'));
    const split = splitIntoFolds(members, [], { seed: '1', folds: 5 });
    expect([...new Set(split.values())].sort()).toEqual(['fold-1', 'fold-2', 'fold-3', 'fold-4', 'fold-5']);
    for (const fold of new Set(split.values())) {
      const own = members.filter(({ id }) => split.get(id) === fold);
      expect([own.length, own.filter(({ className }) => className === 'dog').length]).toEqual([10, 5]);
    }
  });
});

describe('fractions of labels', () => {
  it('are nested, stratified, and leave no class without a label', () => {
    fc.assert(
      fc.property(dataset, (members) => {
        const kept = [...selectLabelled(members, defaultFractions, 'seed').values()];
        kept.slice(1).forEach((larger, i) => {
          for (const id of kept[i] as Set<string>) expect(larger.has(id)).toBe(true);
        });
        const classes = new Set(members.map(({ className }) => className));
        const first = members.filter(({ id }) => kept[0]?.has(id)).map(({ className }) => className);
        expect(new Set(first)).toEqual(classes);
      }),
    );
    const members = Array.from({ length: 200 }, (_, i) => member(String(i), i % 2 ? 'dog' : 'cat'));
    expect([...selectLabelled(members, defaultFractions, 'x').values()].map(({ size }) => size)).toEqual(
      defaultFractions.map((fraction) => Math.round(200 * fraction)),
    );
  });
});

describe('leaks', () => {
  it('are found as pairs: the same file, a look-alike, a group in two parts', () => {
    const members = [member('a'), member('b'), member('c', 'dog', 'video'), member('d', 'dog', 'video')];
    const split = new Map([
      ['a', 'train'],
      ['b', 'test'],
      ['c', 'train'],
      ['d', 'val'],
    ]);
    const ties: Tie[] = [{ a: 'a', b: 'b', why: 'same file' }];
    expect(findLeaks(members, ties, split)).toEqual([
      { a: 'a', b: 'b', why: 'same file', parts: ['train', 'test'] },
      { a: 'c', b: 'd', why: 'same group', parts: ['train', 'val'] },
    ]);
  });

  it('go through a chain of look-alikes', () => {
    const members = Array.from({ length: 5000 }, (_, i) => member(String(i)));
    const ties = members.slice(1).map(({ id }, i): Tie => ({ a: String(i), b: id, why: 'looks alike' }));
    expect(buildClusters(members, ties)).toHaveLength(1);
  });
});
