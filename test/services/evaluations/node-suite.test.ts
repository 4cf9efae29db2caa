import { describe, expect, it } from 'vitest';
import { packNumbers, packShares, unpackNumbers, unpackShares } from '@/lib/core/robustness/metrics/nodes';
import { stream, streamKey } from '@/lib/core/robustness/random';
import { RowTable, type Subject } from '@/lib/core/robustness/report/row-table';
import type { FeatureMap } from '@/lib/core/robustness/saliency/maps';
import { planSuites, type Setting } from '@/lib/core/robustness/suites';
import { nodeReport } from '@/lib/core/robustness/suites/nodes';
import type { Row, Sample } from '@/lib/core/robustness/types';
import { nodeMaps } from '@/lib/core/robustness/variants/nodes';
import { box, flat, SIDE } from './plain-scenes';
import { applied, sampleOf, surroundingsOf } from './samples';
import { findingIn, plotIn, rowOf, subjectOf } from './support/report-rows';

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
const chance = stream('tessera|test|node suite');
const cats = Array.from({ length: 40 }, (_, i): Sample => {
  const [x, y] = [4 * chance.below(7), 4 * chance.below(7)];
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

const around = {
  ...surroundingsOf(cats),
  features: async (picture: Sample['picture']) => featuresOf(picture),
};

async function rowsOf(samples: readonly Sample[]): Promise<{ subject: Subject; row: Row }[]> {
  return Promise.all(
    samples.map(async (sample) => {
      const subject = subjectOf(sample.id, sample.classIndex, { attributes: sample.attributes });
      const outcome = await applied(nodeMaps(['ears']), sample, around);
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
    expect(why({ offers: { ...setting.offers, features: false } })).toContain('Name the tensor');
    expect(why({ attributes: [] })).toContain('No attribute of the schema is drawn');
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
    const own = { ...around, ...surroundingsOf(still), features: around.features };
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
      ...around,
      features: async () => ({ channels: 1, width: 1, height: 1, data: [Number.NaN] }),
    };
    const [cat] = cats as [Sample];
    expect(await applied(nodeMaps(['ears']), cat, nan)).toEqual({ invalid: 'not-finite' });
  });

  it('draws the same others whatever the batch, and packs numbers so that they come back', async () => {
    const [cat] = cats as [Sample];
    const key = streamKey({ seed: 0, sample: cat.id, variant: 'nodes', level: 0, trial: 0 });
    expect(await nodeMaps(['ears']).apply(cat, { level: 0, trial: 0 }, stream(key), around)).toEqual(
      await applied(nodeMaps(['ears']), cat, around),
    );
    const numbers = Float32Array.from({ length: 300 }, () => chance.normal());
    expect(unpackNumbers(packNumbers(numbers))).toEqual(numbers);
    const shares = Float32Array.from({ length: 300 }, () => chance.unit());
    unpackShares(packShares(shares)).forEach((share, i) => {
      expect(Math.abs(share - (shares[i] as number))).toBeLessThan(1e-5);
    });
    expect([...unpackShares(packShares([0, 1]))]).toEqual([0, 1]);
    expect(unpackNumbers(packNumbers([]))).toHaveLength(0);
  });
});
