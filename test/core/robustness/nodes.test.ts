import { describe, expect, it } from 'vitest';
import {
  type NodeOverlaps,
  type NodeSample,
  nodeIou,
  nodeTable,
  packNumbers,
  packShares,
  unpackNumbers,
  unpackShares,
} from '@/lib/core/robustness/metrics/nodes';
import { createRng, rngKey } from '@/lib/core/robustness/random';
import { RowTable, type Subject } from '@/lib/core/robustness/report/row-table';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import { planSuites, type Setting } from '@/lib/core/robustness/suites';
import { nodeReport } from '@/lib/core/robustness/suites/nodes';
import type { Row, Sample } from '@/lib/core/robustness/types';
import { nodeMaps } from '@/lib/core/robustness/variants/nodes';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import {
  applied,
  box,
  findingIn,
  flat,
  plotIn,
  rowOf,
  SIDE,
  sampleOf,
  subjectOf,
  surroundingsOf,
} from './samples';

const ids = ['a', 'b', 'c'] as const;
type Id = (typeof ids)[number];

describe('nodes that stand for attributes', () => {
  it('are those of the vector', () => {
    const { maps, k } = vectors.node;
    const of = (part: 'train' | 'test'): NodeSample[] =>
      ids.map((id) => ({
        id,
        part,
        className: 'cat',
        attributes: ['ears', 'tail'],
        activations: maps[id].map((map) => map.flat().reduce((sum, value) => sum + value, 0) / 4),
      }));
    const overlaps: NodeOverlaps = {
      own: (id, node, attribute) =>
        nodeIou(
          maps[id as Id][node]?.flat() ?? [],
          vectors.node[attribute as 'ears' | 'tail'][id as Id].flat(),
        ),
      others: () => null,
    };
    const rows = nodeTable([...of('train'), ...of('test')], ['ears', 'tail'], 'cat', overlaps, { top: k });
    expect(rows).toMatchObject([
      { attribute: 'ears', node: 0, chosenBy: 0.75, chosenOn: 2 },
      { attribute: 'tail', node: 1, chosenBy: 1 },
    ]);
    expect(rows.map(({ tested }) => tested.map(({ own }) => own))).toEqual([
      [1, 0.5, 0],
      [1, 1, 1],
    ]);
  });

  /** Sixty nodes; one follows the ears wherever they are, the others see anything. */
  const side = 12;
  const rng = createRng('tessera|test|nodes');
  const spot = (x: number, y: number) =>
    Float32Array.from({ length: side * side }, (_, i) =>
      Math.abs((i % side) - x) <= 2 && Math.abs(Math.floor(i / side) - y) <= 2 ? 1 : 0,
    );
  const images = Array.from({ length: 60 }, (_, i) => {
    const place = [2 + rng.below(8), 2 + rng.below(8)] as const;
    const ears = spot(...place);
    const maps = Array.from({ length: 60 }, (_, node) =>
      node === 7 ? ears.map((value) => value * (1 + i / 60)) : spot(rng.below(12), rng.below(12)),
    );
    return { id: `i${String(i).padStart(2, '0')}`, ears, maps };
  });
  const samples = images.map(
    ({ id, maps }, i): NodeSample => ({
      id,
      part: i % 2 ? 'test' : 'train',
      className: 'cat',
      attributes: i % 10 === 3 ? [] : ['ears'],
      activations: maps.map((map) => map.reduce((sum, value) => sum + value, 0)),
    }),
  );
  const find = (id: string) => images.find((image) => image.id === id);
  /** The next image's ears are those of another. */
  const next = (id: string) => images[(images.findIndex((image) => image.id === id) + 1) % images.length];
  const overlaps = (isTrue: boolean): NodeOverlaps => {
    const on = (ears: Float32Array | undefined, id: string, node: number) =>
      nodeIou(find(id)?.maps[node] ?? [], isTrue ? (ears ?? []) : spot(4, 4));
    return {
      own: (id, node) =>
        samples.find((each) => each.id === id)?.attributes?.length ? on(find(id)?.ears, id, node) : null,
      others: (id, node) => on(next(id)?.ears, id, node),
    };
  };
  const meanOf = (values: readonly (number | null)[]) =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;

  it('follow their attribute where they are real, far better than masks of other images', () => {
    const [row] = nodeTable(samples, ['ears'], 'cat', overlaps(true));
    expect(row?.node).toBe(7);
    expect(row?.tested).toHaveLength(24);
    expect(row?.tested.every(({ own }) => own === 1)).toBe(true);
    expect(meanOf(row?.tested.map(({ others }) => others) ?? [])).toBeLessThan(0.6);
  });

  it('are no better than masks of others where masks lie anyhow, though the best of sixty was chosen', () => {
    const [row] = nodeTable(samples, ['ears'], 'cat', overlaps(false));
    const own = meanOf(row?.tested.map((each) => each.own) ?? []);
    expect(row?.chosenBy).toBeGreaterThan(own);
    // One mask for all: whose it is changes nothing.
    expect(meanOf(row?.tested.map(({ others }) => others) ?? [])).toBe(own);
  });

  it('are not named where too few images have the attribute, or nothing answers', () => {
    const none: NodeOverlaps = { own: () => null, others: () => null };
    expect(nodeTable(samples, ['ears'], 'cat', none)).toMatchObject([{ node: null, tested: [], auc: null }]);
    expect(nodeTable(samples, ['ears'], 'dog', overlaps(true))).toMatchObject([{ node: null, chosenOn: 0 }]);
    const dead = samples.map((each) => ({ ...each, activations: new Float32Array(60) }));
    expect(nodeTable(dead, ['ears'], null, overlaps(true))).toMatchObject([{ node: null, auc: null }]);
  });
});

const setting: Setting = {
  preset: 'quick',
  seed: 0,
  classes: ['cat', 'dog'],
  attributes: ['ears'],
  marked: ['ears'],
  side: SIDE,
  offers: { gradient: false, oracle: false, features: true },
};

/** Cats whose ears lie anywhere, drawn as a bright square; every fifth has none. */
const rng = createRng('tessera|test|node suite');
const cats = Array.from({ length: 40 }, (_, i): Sample => {
  const [x, y] = [4 * rng.below(7), 4 * rng.below(7)];
  const ears = box(x, y, 4, 4);
  const hasEars = i % 5 !== 0;
  const picture = flat(0.2);
  return sampleOf(
    `cat-${String(i).padStart(2, '0')}`,
    {
      ...picture,
      data: picture.data.map((value, at) => (hasEars && ears[at % ears.length] ? 0.6 + i / 100 : value)),
    },
    box(0, 0, 32, 28),
    { attributes: hasEars ? ['ears'] : [], attributeRegions: hasEars ? { ears } : {} },
  );
});

/** Three nodes: what is bright, a corner that never moves, and nothing. */
const featuresOf = ({ data }: Sample['picture']): FeatureMap => ({
  channels: 3,
  width: SIDE / 4,
  height: SIDE / 4,
  data: Float32Array.from({ length: 3 * 64 }, (_, i) => {
    const [x, y] = [i % 8, Math.floor(i / 8) % 8];
    const bright = Math.max(0, (data[4 * y * SIDE + 4 * x] as number) - 0.3);
    return i < 64 ? bright : i < 128 ? Number(x < 2 && y < 2) * (1 + (data[0] as number)) : 0;
  }),
});

const context = {
  ...surroundingsOf(cats),
  features: async (picture: Sample['picture']) => featuresOf(picture),
};

async function rowsOf(samples: readonly Sample[]): Promise<{ subject: Subject; row: Row }[]> {
  return Promise.all(
    samples.map(async (sample) => {
      const subject = subjectOf(sample.id, sample.classIndex, { attributes: sample.attributes });
      const outcome = await applied(nodeMaps(['ears']), sample, context);
      if ('invalid' in outcome) throw new Error(outcome.invalid);
      return { subject, row: rowOf(subject, 'nodes', { extra: outcome.extra }) };
    }),
  );
}

const reported = (read: readonly { subject: Subject; row: Row }[]) =>
  nodeReport(
    new RowTable(
      read.map(({ subject }) => subject),
      setting.classes,
      read.map(({ row }) => row),
    ),
    ['ears'],
    0,
  );

describe('the suite of nodes', () => {
  it('is refused where a model exposes no map, or nothing is drawn, with what to do', () => {
    const why = (given: Partial<Setting>) => planSuites('nodes', { ...setting, ...given }).left[0]?.why;
    expect(why({ offers: { ...setting.offers, features: false } })).toContain('Set featureTensor');
    expect(why({ attributes: [] })).toContain('no localised attributes');
    expect(why({})).toBeUndefined();
  });

  it('finds the node that follows the ears, and that it is not their usual place that it knows', async () => {
    const report = reported(await rowsOf(cats));
    const iou = findingIn(report, 'node-iou');
    expect(iou.value).toBeGreaterThan(0.5);
    expect(iou.n).toBeGreaterThan(10);
    expect(iou.of).toBe(40);
    const gain = findingIn(report, 'node-gain');
    expect(gain.low).toBeGreaterThan(0.2);
    expect(report.lines.map(({ name }) => name)).toEqual(['ears', 'ears: node 0']);
    const auc = plotIn(report, 'node-auc');
    if (auc.kind !== 'heat') throw new Error(auc.kind);
    expect(auc.values).toEqual([[1]]);
    expect(report.notes[0]).toContain('node 0 for ears of cat');
  });

  it('finds no gain where ears are always at the same place', async () => {
    const still = cats.map(
      (cat): Sample => ({
        ...cat,
        attributeRegions: cat.attributes?.includes('ears') ? { ears: box(0, 0, 8, 8) } : {},
      }),
    );
    const own = { ...context, ...surroundingsOf(still), features: context.features };
    const read = await Promise.all(
      still.map(async (sample) => {
        const subject = subjectOf(sample.id, 0, { attributes: sample.attributes });
        const outcome = await applied(nodeMaps(['ears']), sample, own);
        return { subject, row: rowOf(subject, 'nodes', 'extra' in outcome ? { extra: outcome.extra } : {}) };
      }),
    );
    expect(findingIn(reported(read), 'node-gain')).toMatchObject({ value: 0, low: 0, high: 0 });
  });

  it('says what is missing where no node can be named, and takes a map that is not finite for no answer', async () => {
    const bare = cats.map((cat) => ({ ...cat, attributes: [], attributeRegions: {} }));
    const report = reported(await rowsOf(bare));
    expect(findingIn(report, 'node-iou')).toMatchObject({ value: null, n: 0 });
    expect(report.plots).toEqual([]);
    expect(report.notes[0]).toContain('at least five must have a drawn attribute');
    const nan = {
      ...context,
      features: async () => ({ channels: 1, width: 1, height: 1, data: [Number.NaN] }),
    };
    const [cat] = cats as [Sample];
    expect(await applied(nodeMaps(['ears']), cat, nan)).toEqual({ invalid: 'not-finite' });
  });

  it('draws the same others whatever the batch, and packs numbers so that they come back', async () => {
    const [cat] = cats as [Sample];
    const key = rngKey({ seed: 0, sample: cat.id, variant: 'nodes', level: 0, trial: 0 });
    expect(await nodeMaps(['ears']).apply(cat, { level: 0, trial: 0 }, createRng(key), context)).toEqual(
      await applied(nodeMaps(['ears']), cat, context),
    );
    const numbers = Float32Array.from({ length: 300 }, () => rng.normal());
    expect(unpackNumbers(packNumbers(numbers))).toEqual(numbers);
    const shares = Float32Array.from({ length: 300 }, () => rng.unit());
    unpackShares(packShares(shares)).forEach((share, i) => {
      expect(Math.abs(share - (shares[i] as number))).toBeLessThan(1e-5);
    });
    expect([...unpackShares(packShares([0, 1]))]).toEqual([0, 1]);
    expect(unpackNumbers(packNumbers([]))).toHaveLength(0);
  });
});
