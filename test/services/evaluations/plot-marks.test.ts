import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  galleryPath,
  readGallery,
} from '@/app/(console)/projects/[project]/evaluations/[evaluation]/gallery-query';
import { newId, tables } from '@/db';
import { binValues } from '@/lib/core/charts';
import { createRng } from '@/lib/core/robustness/random';
import type { GalleryFilter, Plot, SuiteReport } from '@/lib/core/robustness/report/report';
import { RowTable } from '@/lib/core/robustness/report/row-table';
import { joinReports, planSuites, reportsOf, type Setting, scoresOf } from '@/lib/core/robustness/suites';
import type { Row, Sample, VariantContext } from '@/lib/core/robustness/types';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { plotAblationByModel } from '@/lib/services/evaluations/compare-evaluations';
import { querySample, toRow } from '@/lib/services/evaluations/compute-rows';
import { loadGallery, storeEvaluationImages } from '@/lib/services/evaluations/gallery';
import { toSubject } from '@/lib/services/evaluations/sample-pool';
import { putBlob, storage } from '@/lib/services/storage';
import { ATTRIBUTES, anyPicture, ellipse, sampleOf, surroundingsOf } from '../../core/robustness/samples';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';
import { tests } from '../access/people';

useHome();
const db = useDatabase();
const [COUNT, SIDE] = [24, 16];
const CLASSES = ['cat', 'dog', 'bird'];
const setting: Setting = {
  ...{ preset: 'quick', seed: 0, classes: CLASSES, attributes: ATTRIBUTES, marked: ATTRIBUTES, side: SIDE },
  offers: { gradient: false, oracle: true, features: true },
};
const plan = planSuites('all', setting);

/** A mark of a plot: what it says, and where it leads. */
interface Mark {
  name: string;
  value: number;
  filter: GalleryFilter | null | undefined;
}

const marksOf = (plot: Plot): Mark[] => {
  const named = (name: string, value: number | null | undefined, filter: Mark['filter']): Mark[] =>
    typeof value === 'number' ? [{ name: `${plot.id}, ${name}`, value, filter }] : [];
  switch (plot.kind) {
    case 'lines':
      return plot.series.flatMap(({ name, points }) =>
        points.flatMap(({ x, y, filter }) => named(`${name} at ${x}`, y, filter)),
      );
    case 'bars':
      return plot.bars.flatMap(({ name, value, filter }) => named(name, value, filter));
    case 'heat':
      return plot.values.flatMap((row, i) =>
        row.flatMap((value, j) =>
          named(`${plot.rows[i]} ${plot.columns[j]}`, value, plot.filters?.[i]?.[j] ?? null),
        ),
      );
    case 'scatter':
      return plot.points.flatMap(({ name, y, filter }) => named(name, y, filter));
    case 'distribution':
      return [];
  }
};

let projectId: string;
let evaluationId: string;
let modelId: string;
let report: SuiteReport;
let samples: Sample[];
let rows: Row[];
/** Which sample an image is. */
let sampleOfImage: Map<string, string>;

/** A third of the pictures are of another colour than their class, some have no mask, some no attributes. */
function samplesOf(ids: readonly string[]): Sample[] {
  const rng = createRng('marks');
  return ids.map((id, i) => {
    const classIndex = i % CLASSES.length;
    const colour = i % 4 === 3 ? (classIndex + 1) % CLASSES.length : classIndex;
    const picture = anyPicture(SIDE, SIDE, rng);
    const data = picture.data.map((value, at) =>
      Math.floor(at / (SIDE * SIDE)) === colour ? 0.1 + 0.9 * value : 0.9 * value,
    );
    const object = i % 7 === 6 ? null : ellipse(SIDE, SIDE, 0.2 + (i % 3) / 10);
    return sampleOf(id, { ...picture, data }, object, {
      classIndex,
      className: CLASSES[classIndex] ?? '',
      split: i % 2 ? 'train' : 'test',
      attributes: i % 5 === 4 ? null : ATTRIBUTES.filter((_, a) => (i + a) % 3 > 0),
      attributeRegions: { ears: ellipse(SIDE, SIDE, 0.1), tail: ellipse(SIDE, SIDE, 0.08) },
    });
  });
}

beforeAll(async () => {
  ({ projectId } = await labelledProject(db(), {
    ...{ preset: 'part-imagenet' as const, slug: 'marks', count: COUNT, classes: ['Aeroplane', 'Bird'] },
  }));
  const { versionId } = await freezeVersion(patiently(db()), tests, {
    projectId,
    request: FreezeRequest.parse({}),
  });
  const images = await db()
    .select({ id: tables.images.id, source: tables.images.sourceSha256 })
    .from(tables.images)
    .where(eq(tables.images.projectId, projectId));
  sampleOfImage = new Map(images.map(({ id, source }) => [id, source]));
  samples = samplesOf(images.map(({ source }) => source));
  const around = (): VariantContext & { queries: number } => ({
    ...surroundingsOf(samples),
    oracle: async ({ classIndex }) => classIndex,
    saliency: async ({ data }) => ({ map: data.slice(0, SIDE * SIDE), by: 'head' }),
    queries: 0,
  });
  rows = [];
  for (const variant of plan.variants)
    for (const sample of samples) {
      const cells = await querySample(
        { seed: 0, createContext: around, signal: new AbortController().signal },
        variant,
        sample,
      );
      cells.forEach((cell, i) => {
        rows.push(toRow(variant, sample, i, cell));
      });
    }
  const table = new RowTable(samples.map(toSubject), CLASSES, rows);
  report = joinReports([...reportsOf('all', table, setting)]);
  [modelId, evaluationId] = [newId(), newId()];
  const blob = await putBlob(db(), storage(), Buffer.from('marks'), {
    mediaType: 'application/octet-stream',
  });
  await db()
    .insert(tables.models)
    .values({ id: modelId, projectId, name: 'M', blob: blob.sha256, contract: {} });
  await db()
    .insert(tables.evaluations)
    .values({
      ...{ id: evaluationId, projectId, versionId, modelId, suite: 'all', options: {}, state: 'done' },
      metrics: { ...report },
    });
  const kept = { evaluationId, versionId, table, variants: plan.variants, scores: scoresOf(table, plan) };
  await storeEvaluationImages(db(), kept);
});

/** What the page shows when a mark is followed: the address as it is written, read as the page reads it. */
async function shownBy(filter: GalleryFilter): Promise<string[]> {
  const address = new URL(galleryPath('http://localhost/evaluations/e', filter));
  expect(address.hash).toBe('#gallery');
  const query = readGallery(Object.fromEntries(address.searchParams));
  const { total, items } = await loadGallery(db(), evaluationId, { ...query, limit: 200 });
  expect(items).toHaveLength(total);
  return items.map(({ imageId }) => sampleOfImage.get(imageId) ?? '').sort();
}

/** The same from the rows alone: nothing of the gallery is used. */
function meantBy(filter: GalleryFilter): string[] {
  const { className, predicted, isRight, variant, level, attribute, alsoAttribute } = filter;
  return samples
    .filter((sample) => {
      const valid = (name: string) =>
        rows.filter((row) => row.sample === sample.id && row.variant === name && row.reason === null);
      const [clean] = valid('identity');
      const own = variant ? valid(variant).filter((row) => !level || String(row.level) === level) : [clean];
      const allRight = own.every((row) => row?.predicted === sample.classIndex);
      return (
        own.length > 0 &&
        (!className || sample.className === className) &&
        (!predicted || CLASSES[clean?.predicted ?? -1] === predicted) &&
        (isRight === undefined || allRight === isRight) &&
        [attribute, alsoAttribute].every((each) => !each || sample.attributes?.includes(each)) &&
        (!filter.score || valid(filter.score.replace(/^right /, '')).length > 0)
      );
    })
    .map(({ id }) => id)
    .sort();
}

const plotOf = (id: string) => {
  const found = report.plots.find((plot) => plot.id === id);
  if (!found) throw new Error(`There is no plot ${id}.`);
  return found;
};

describe('a mark of a plot', () => {
  it('leads to its images: every one of every plot, and to no others', async () => {
    const ids = report.plots.map(({ id }) => id);
    // The six standard ones, and what stands in the second row.
    for (const id of [
      'noise-scatter',
      'noise-curves',
      'rfs-curve',
      'irfs-distribution',
      'attribute-ablation',
    ])
      expect(ids).toContain(id);
    for (const id of ['corruptions', 'attack-curve', 'backgrounds', 'saliency-iou', 'edit-position-map'])
      expect(ids).toContain(id);
    const known = new Map<string, string[]>();
    let marks = 0;
    for (const plot of report.plots)
      for (const { name, filter } of marksOf(plot)) {
        expect(filter, `${name} leads nowhere`).toBeTruthy();
        if (!filter) continue;
        const key = galleryPath('', filter);
        const shown = known.get(key) ?? (await shownBy(filter));
        known.set(key, shown);
        expect(shown, name).toEqual(meantBy(filter));
        marks += 1;
      }
    expect(marks).toBeGreaterThan(150);
  });

  it('is as high as its images say: wrong ones among all that the variant applies to', async () => {
    const shares = ['class-accuracy', 'corruptions', 'attack-curve', 'backgrounds', 'edit-position-map'];
    for (const { name, value, filter } of shares.flatMap((id) => marksOf(plotOf(id)))) {
      const { isRight, ...all } = filter ?? {};
      expect(isRight, name).toBe(false);
      const [wrong, of] = [await shownBy(filter ?? {}), await shownBy(all)];
      expect(1 - wrong.length / of.length, name).toBeCloseTo(value, 9);
    }
  });

  it('of a distribution holds as many images as its bar is high', async () => {
    for (const id of ['irfs-distribution', 'irfs-distribution-l2']) {
      const plot = plotOf(id);
      if (plot.kind !== 'distribution' || !plot.score) throw new Error(id);
      const values = plot.groups.flatMap((group) => group.values);
      expect(values.length).toBeGreaterThan(15);
      for (const { from, to, count } of binValues(values, { domain: [-1, 1], count: 20 })) {
        const span = { score: plot.score, from, ...(to < 1 ? { to } : {}) };
        const query = readGallery(Object.fromEntries(new URL(galleryPath('http://l/e', span)).searchParams));
        expect((await loadGallery(db(), evaluationId, query)).total, `${id} from ${from}`).toBe(count);
      }
    }
  });

  it('of attributes is the share of its class that has them', () => {
    const means = plotOf('attribute-means');
    if (means.kind !== 'heat') throw new Error('It is a heat map.');
    means.rows.forEach((className, i) => {
      const asked = samples.filter((each) => each.className === className && each.attributes);
      means.columns.forEach((attribute, j) => {
        const own = meantBy({ className, attribute }).length;
        expect(means.values[i]?.[j]).toBeCloseTo(own / asked.length, 9);
      });
    });
  });
});

describe('models beside each other', () => {
  it('what graying an attribute costs: a column for each, means at the ends, and only this one’s images', async () => {
    const { versionId } = (
      await db().select().from(tables.evaluations).where(eq(tables.evaluations.id, evaluationId))
    )[0] as { versionId: string };
    const own = report.lines.filter(({ group }) => group.startsWith('Attribute gray'));
    expect(own.length).toBeGreaterThan(1);
    const [otherModel, other] = [newId(), newId()];
    const blob = await putBlob(db(), storage(), Buffer.from('other'), {
      mediaType: 'application/octet-stream',
    });
    await db()
      .insert(tables.models)
      .values({ id: otherModel, projectId, name: 'O', blob: blob.sha256, contract: {} });
    // The other model does not know the first of the attributes.
    const lines = own.slice(1).map((line) => ({ ...line, value: 0.5 }));
    await db()
      .insert(tables.evaluations)
      .values({
        ...{ id: other, projectId, versionId, modelId: otherModel, suite: 'all', options: {}, state: 'done' },
        metrics: { ...report, lines },
      });
    const both = [
      { id: evaluationId, model: 'M' },
      { id: other, model: 'O' },
    ];
    expect(await plotAblationByModel(db(), both.slice(0, 1))).toEqual([]);
    const [plot] = await plotAblationByModel(db(), both);
    if (plot?.kind !== 'heat') throw new Error('It is a heat map.');
    const names = own.map(({ name }) => name).sort();
    expect([plot.rows, plot.columns]).toEqual([
      [...names, 'mean'],
      ['M', 'O', 'mean'],
    ]);
    const falls = names.map((name) => 100 * (own.find((line) => line.name === name)?.value ?? 0));
    names.forEach((name, i) => {
      const theirs = name === own[0]?.name ? null : 50;
      const fall = falls[i] as number;
      expect(plot.values[i]?.[0]).toBeCloseTo(fall, 9);
      expect(plot.values[i]?.[1]).toBe(theirs);
      expect(plot.values[i]?.[2]).toBeCloseTo(theirs === null ? fall : (fall + theirs) / 2, 9);
    });
    expect(plot.values.at(-1)?.[0]).toBeCloseTo(falls.reduce((a, b) => a + b, 0) / falls.length, 9);
    expect(plot.values.at(-1)?.[1]).toBe(50);
    for (const { name, filter } of marksOf(plot)) {
      if (name.endsWith(' M') && !name.includes('mean'))
        expect(await shownBy(filter ?? {}), name).toEqual(meantBy(filter ?? {}));
      else expect(filter, name).toBeNull();
    }
  });
});

describe('the classes of a group', () => {
  it('are told by their shares, in the order of the model’s classes', () => {
    const groups = report.lines.filter(({ classShares }) => classShares);
    expect(groups.length).toBeGreaterThan(5);
    for (const { group, name, classShares = [] } of groups) {
      expect(classShares).toHaveLength(CLASSES.length);
      expect(
        classShares.reduce((a, b) => a + b, 0),
        `${group}: ${name}`,
      ).toBeCloseTo(1, 9);
      if (group !== 'Attribute') continue;
      const own = samples.filter(({ attributes }) => attributes?.includes(name));
      CLASSES.forEach((className, at) => {
        const share = own.filter((each) => each.className === className).length / own.length;
        expect(classShares[at]).toBeCloseTo(share, 9);
      });
    }
    // Of one class, it would say nothing.
    for (const { group, classShares } of report.lines)
      if (group === 'Class') expect(classShares).toBeUndefined();
  });
});
