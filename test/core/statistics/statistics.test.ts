import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyMask, type Mask, merge, toBitmap } from '@/lib/core/mask';
import { conditional, summarizeDataset } from '@/lib/core/statistics';
import { GRID, PositionCounts, SizeCounts } from '@/lib/core/statistics/masks';
import { clopperPearson, pairedDifference } from '@/lib/core/statistics/paired';
import { anyMask } from '../mask/arbitrary';
import { box, datasetOf, drawnAs, outlined, picture, schema, thing } from './farm';

/** Four pictures, few enough to count by hand. */
const farm = [
  picture('a', 'dog', {
    marks: ['large', 'spots'],
    attributeMasks: [drawnAs('spots', box(0, 0, 24, 12))],
    objects: [
      thing('dog', { outline: outlined(box(0, 0, 48, 24)), parts: [drawnAs('head', box(0, 0, 24, 24))] }),
    ],
  }),
  picture('b', 'dog', {
    marks: ['large'],
    objects: [thing('dog', { outline: outlined(box(0, 0, 24, 24)), absent: ['head'] })],
  }),
  picture('c', 'hen', {
    marks: ['small', 'spots'],
    split: 'test',
    objects: [
      thing('hen', {
        outline: outlined(box(0, 0, 24, 24)),
        parts: [drawnAs('head', box(0, 0, 12, 12)), drawnAs('wing', box(12, 12, 12, 12))],
      }),
    ],
  }),
  picture('d', 'hen', { split: 'test' }),
];

describe('instances, stuff and flags', () => {
  it('are counted per part, class and flag, and stuff by its area', async () => {
    const withStuff = {
      ...schema,
      classes: [...schema.classes, { id: 'grass', name: 'Grass', kind: 'stuff' as const }],
    };
    const [left, right] = [box(0, 0, 4, 4), box(10, 0, 4, 4)];
    const wings = {
      ...drawnAs('wing', merge([left, right])),
      instances: [left, right],
      flags: ['occluded'] as const,
    };
    const found = await summarizeDataset(
      datasetOf(
        [
          picture('a', 'hen', {
            objects: [
              thing('hen', { outline: outlined(box(0, 0, 24, 24)), parts: [wings] }),
              thing('hen', { instance: 2, outline: { ...outlined(box(30, 0, 8, 8)), flags: ['crowd'] } }),
              thing(null, { instance: 3, outline: { ...outlined(box(40, 0, 8, 8)), flags: ['crowd'] } }),
              thing('grass', { instance: 4, outline: outlined(box(0, 12, 48, 12)) }),
            ],
          }),
        ],
        undefined,
        withStuff,
      ),
    );
    expect(found.totals).toMatchObject({
      objects: 1,
      outlines: 1,
      partMasks: 1,
      partInstances: 2,
      stuffRegions: 1,
      crowdRegions: 2,
    });
    expect(found.partCounts.find(({ part }) => part === 'wing')).toMatchObject({ present: 1, instances: 2 });
    expect(found.objectCounts).toEqual([
      { className: 'hen', split: 'train', objects: 1, crowds: 1 },
      { className: null, split: 'train', objects: 0, crowds: 1 },
    ]);
    expect(found.stuffCounts).toEqual([{ className: 'grass', images: 1, share: { value: 0.5 } }]);
    expect(found.flagCounts).toEqual([
      { kind: 'object', id: '', flag: 'crowd', labels: 2 },
      { kind: 'part', id: 'wing', flag: 'occluded', labels: 1 },
    ]);
  });
});

describe('the statistics of a version', () => {
  it('count images, forms and parts as a person would', async () => {
    const found = await summarizeDataset(datasetOf(farm));
    expect(found.totals).toEqual({
      images: 4,
      forms: 3,
      objects: 3,
      outlines: 3,
      partMasks: 3,
      partInstances: 3,
      stuffRegions: 0,
      crowdRegions: 0,
      attributeMasks: 1,
      withoutMasks: 0,
    });
    expect(found.classCounts).toEqual([
      { className: 'dog', bySplit: [2, 0] },
      { className: 'hen', bySplit: [0, 2] },
    ]);
    expect(found.formCounts).toEqual([
      { className: 'dog', split: 'train', n: 2, present: [0, 2, 1] },
      { className: 'hen', split: 'test', n: 1, present: [1, 0, 1] },
    ]);
    expect(found.partCounts).toEqual([
      { part: 'head', className: 'dog', split: 'train', present: 1, instances: 1, absent: 1, notAsked: 0 },
      { part: 'head', className: 'hen', split: 'test', present: 1, instances: 1, absent: 0, notAsked: 1 },
      { part: 'wing', className: 'hen', split: 'test', present: 1, instances: 1, absent: 0, notAsked: 1 },
    ]);
    expect(found.partPairs).toEqual({
      together: [
        [2, 1],
        [1, 1],
      ],
      asked: [
        [3, 1],
        [1, 1],
      ],
    });
  });

  it('say why there is no correlation instead of a number', async () => {
    const { attributePairs } = await summarizeDataset(datasetOf(farm));
    const [all, train] = attributePairs;
    expect(attributePairs.map(({ split, n }) => [split, n])).toEqual([
      [null, 3],
      ['train', 2],
      ['test', 1],
    ]);
    expect(all?.correlation[0]?.[1]).toEqual({ value: -1 });
    // Spots and large among three: counts 1, 2 and 2 give (3·1 − 2·2) / (√2·√1·√2·√1).
    expect(all?.correlation[1]?.[2]).toEqual({ value: -0.5 });
    expect(all && conditional(all, 1, 2)).toEqual({ of: 1, n: 2 });
    expect(train?.correlation[0]?.[2]).toEqual({
      value: null,
      reason: 'An attribute that is never marked varies with nothing.',
    });
    expect(train?.correlation[1]?.[1]).toMatchObject({ reason: expect.stringContaining('always') });
  });

  it('measure masks as shares of their image and map where they lie', async () => {
    const { sizes, positions } = await summarizeDataset(datasetOf(farm));
    const head = sizes.find(({ id }) => id === 'head');
    expect(head).toMatchObject({ n: 2, mean: { value: (0.5 + 0.125) / 2 } });
    expect(Math.abs((head?.quantiles.median.value ?? 0) / 0.125 - 1)).toBeLessThan(0.012);
    expect(head?.bars.map(({ count }) => count)).toEqual([1, 0, 1]);
    const map = positions.find(({ id }) => id === 'head');
    // Both heads cover the top left, one of them also the bottom left, none the right half.
    expect([map?.cells[0], map?.cells[23 * 24], map?.cells[23]]).toEqual([1, 0.5, 0]);
    expect(sizes.find(({ kind }) => kind === 'attribute')).toMatchObject({ id: 'spots', n: 1 });
  });

  it('name what is missing, by image', async () => {
    const { findings } = await summarizeDataset(datasetOf(farm));
    const byId = new Map(findings.map((finding) => [finding.id, finding]));
    expect(byId.get('part-not-asked')).toMatchObject({
      count: 2,
      images: 1,
      examples: [{ image: 'd', cases: ['Head', 'Wing'] }],
    });
    expect(byId.get('no-form')?.examples).toEqual([{ image: 'd', cases: ['nobody was asked'] }]);
    expect(byId.get('attribute-not-drawn')?.examples).toEqual([{ image: 'c', cases: ['Spots'] }]);
    expect(byId.get('no-outline')?.examples).toEqual([{ image: 'd', cases: ['no outline'] }]);
    expect(findings.filter(({ kind }) => kind !== 'missing')).toEqual([]);
  });

  it('do not miss masks that were left out on purpose', async () => {
    const { findings, partCounts } = await summarizeDataset(
      datasetOf([picture('a', 'hen', { marks: ['small', 'spots'], hasMasks: false })]),
    );
    expect(findings).toEqual([]);
    expect(partCounts).toEqual([]);
  });

  it('find labels that contradict each other', async () => {
    const odd = picture('odd', 'dog', {
      marks: ['small', 'large'],
      attributeMasks: [drawnAs('spots', box(0, 0, 10, 10))],
      objects: [
        thing('dog', {
          outline: outlined(box(0, 0, 20, 20)),
          parts: [drawnAs('head', box(16, 0, 20, 20)), drawnAs('wing', box(0, 0, 7, 9))],
          absent: ['head'],
        }),
      ],
    });
    const { findings } = await summarizeDataset(datasetOf([odd]));
    expect(findings.map(({ id, examples }) => [id, examples[0]?.cases])).toEqual([
      ['mask-of-absent-attribute', ['Spots']],
      ['too-many-of-a-group', ['Small + Large']],
      ['part-of-another-class', ['Wing of Dog']],
      ['drawn-and-absent', ['Head']],
      ['part-outside-object', ['Head']],
      ['near-empty', ['Wing: 63 px']],
    ]);
  });

  it('forgive a part that two careful hands drew four pixels over the border', async () => {
    const near = thing('dog', {
      outline: outlined(box(0, 0, 20, 20)),
      parts: [drawnAs('head', box(14, 0, 10, 20))],
    });
    const { findings } = await summarizeDataset(
      datasetOf([picture('a', 'dog', { marks: ['large'], objects: [near] })]),
    );
    expect(findings).toEqual([]);
  });

  it('of nothing are zeros and reasons, never NaN', async () => {
    const empty = await summarizeDataset(datasetOf([]));
    const hollow = await summarizeDataset(
      datasetOf([
        picture('a', null, { objects: [thing(null, { parts: [drawnAs('head', emptyMask(24, 48))] })] }),
      ]),
    );
    for (const found of [empty, hollow]) {
      expect(JSON.parse(JSON.stringify(found))).toEqual(found);
      expect(found.sizes[1]).toMatchObject({ n: 0, mean: { reason: 'There is no mask of it.' }, bars: [] });
      expect(found.classifier).toEqual({
        accuracy: null,
        reason: 'Answered forms of at least two classes are needed to learn from.',
      });
    }
    expect(hollow.findings.map(({ id }) => id)).toEqual(['no-class', 'no-form', 'near-empty']);
  });
});

/** The mask's pixels laid on the grid one by one. */
function coverage(mask: Mask): number[] {
  const cells = new Array<number>(GRID * GRID).fill(0);
  const pixels = toBitmap(mask);
  const shared = (pixel: number, size: number, cell: number) =>
    Math.max(0, Math.min(((pixel + 1) * GRID) / size, cell + 1) - Math.max((pixel * GRID) / size, cell));
  for (let row = 0; row < GRID; row++)
    for (let column = 0; column < GRID; column++)
      for (let y = 0; y < mask.height; y++)
        for (let x = 0; x < mask.width; x++)
          if (pixels[y * mask.width + x])
            cells[row * GRID + column] =
              (cells[row * GRID + column] as number) +
              shared(x, mask.width, column) * shared(y, mask.height, row);
  return cells;
}

describe('what is computed from runs', () => {
  it('is what laying every pixel on the grid gives', () => {
    fc.assert(
      fc.property(fc.array(anyMask, { minLength: 1, maxLength: 3 }), (masks) => {
        const counts = new PositionCounts();
        for (const mask of masks) counts.add(mask);
        const drawn = masks.filter((mask) => mask.toggles.length > 1);
        const { n, cells } = counts.result('part', 'head');
        expect(n).toBe(drawn.length);
        const slow = drawn.map(coverage);
        cells.forEach((cell, at) => {
          const mean = slow.reduce((sum, map) => sum + (map[at] as number), 0) / Math.max(1, n);
          expect(Math.abs(cell - mean)).toBeLessThan(1e-4);
        });
      }),
      { numRuns: 15 },
    );
  });

  it('has quantiles within 1.2 % of the sorted list', () => {
    const areas = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(areas, (list) => {
        const counts = new SizeCounts();
        for (const pixels of list) counts.add(pixels, 1_000_000);
        const sorted = list.map((pixels) => pixels / 1_000_000).sort((a, b) => a - b);
        const { quantiles, bars, n } = counts.result('part', 'head');
        const exact = (level: number) => sorted[Math.ceil(level * sorted.length) - 1] as number;
        expect(Math.abs((quantiles.median.value as number) / exact(0.5) - 1)).toBeLessThan(0.012);
        expect(Math.abs((quantiles.p95.value as number) / exact(0.95) - 1)).toBeLessThan(0.012);
        expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(n);
      }),
    );
  });
});

describe('paired differences', () => {
  it("have Student's interval", () => {
    const { mean, low, high, n } = pairedDifference([1, 2, 3, 4]);
    expect({ mean, n }).toEqual({ mean: 2.5, n: 4 });
    // 3.182446 is the 97.5 % point with 3 degrees of freedom, the standard error is 0.645497.
    expect(high - mean).toBeCloseTo(3.182446 * 0.645497, 4);
    expect(mean - low).toBeCloseTo(high - mean, 12);
  });

  it('of a single pair have no bounds', () => {
    expect(pairedDifference([0.2])).toEqual({
      mean: 0.2,
      low: Number.NEGATIVE_INFINITY,
      high: Number.POSITIVE_INFINITY,
      n: 1,
    });
  });
});

describe('the exact interval of a share', () => {
  it('agrees with published values', () => {
    // 0 of 300: 1 − 0.025^(1/300).
    expect(clopperPearson(0, 300)).toEqual({ low: 0, high: expect.closeTo(1 - 0.025 ** (1 / 300), 8) });
    const { low, high } = clopperPearson(1, 10);
    expect(low).toBeCloseTo(0.0025, 4);
    expect(high).toBeCloseTo(0.445, 3);
  });
});
