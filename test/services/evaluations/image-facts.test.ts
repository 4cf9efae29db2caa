import { asc, eq, inArray, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { GalleryQuery, loadGallery } from '@/lib/services/evaluations/gallery';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { type ImageFacts, loadImageFacts } from '@/lib/services/evaluations/select-images';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { putBlob, storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { patiently } from '../../support/labelled-project';
import { tinyClassifier } from '../../support/tiny-classifier';
import { countStatements } from '../access/statements';
import { addImage, type Workshop, worker, workshop } from '../crowd/workshop';
import { jobIn } from '../curation/audit/rated';
import { box, several } from '../curation/consensus/several';
import { brightContract, brightParts } from '../training/loop-model';
import { attributedProject } from './projects';

useHome();
const db = useDatabase();
const { images, labelRisks, sliceImages, slices, versionImages, versions } = tables;

let shop: Workshop;
let versionId: string;
let known: Map<string, ImageFacts>;

const sourceOf = async (imageId: string) => {
  const [image] = await db().select().from(images).where(eq(images.id, imageId));
  return image?.sourceSha256 ?? '';
};
const imageOf = async (itemId: string) => {
  const [item] = await db().select().from(tables.items).where(eq(tables.items.id, itemId));
  return item?.imageId ?? '';
};

describe('what the platform knows of the images of a version', () => {
  let half: string;
  let single: string;
  let members: { imageId: string; split: string }[];

  beforeAll(async () => {
    shop = await workshop(db());
    const [ann, bo] = await Promise.all(['Ann', 'Bo'].map((name) => worker(db(), shop, name)));
    if (!ann || !bo) throw new Error('Both are there.');
    const drawn = await several(db(), shop, 'object-mask', [
      { by: ann, value: box(10, 10, 20, 20) },
      { by: bo, value: box(20, 10, 20, 20) },
    ]);
    // A part on which they agree says nothing of the object.
    await several(db(), shop, 'part-mask', [
      { by: ann, value: box(10, 10, 20, 20) },
      { by: bo, value: box(10, 10, 20, 20) },
    ]);
    const alone = await several(db(), shop, 'object-mask', [{ by: ann, value: box(10, 10, 20, 20) }]);
    for (let i = 0; i < 20; i++) await addImage(db(), shop.projectId);
    // Pictures that look alike would all come into one split.
    await db().execute(
      sql`update ${images} set perceptual_hash = ('x' || left(md5(id::text), 16))::bit(64)::bigint`,
    );
    half = await imageOf(drawn.itemId);
    single = await imageOf(alone.itemId);
    await db()
      .insert(labelRisks)
      .values({
        ...{ labelId: drawn.labelId, projectId: shop.projectId, stageId: shop.stages['object-mask'] },
        ...{ risk: 0.5, rank: 0.5, agreement: 0.25 },
      });
    await freezeVersion(patiently(db()), systemActor('Test'), {
      projectId: shop.projectId,
      request: FreezeRequest.parse({}),
    });
    const [version] = await db().select().from(versions).where(eq(versions.projectId, shop.projectId));
    versionId = version?.id ?? '';
    members = await db()
      .select({ imageId: versionImages.imageId, split: versionImages.split })
      .from(versionImages)
      .where(eq(versionImages.versionId, versionId))
      .orderBy(asc(versionImages.position));
    const sliceId = newId();
    await db().insert(slices).values({ id: sliceId, projectId: shop.projectId, name: 'Night' });
    await db().insert(sliceImages).values({ sliceId, imageId: single });
    known = await loadImageFacts(db(), { projectId: shop.projectId, versionId });
  });

  it('knows how far people agree: on labels, and on the object where two drew it', async () => {
    const facts = known.get(await sourceOf(half));
    // 20 columns of 20 each, shifted by 10: a third.
    expect(facts?.drawnIou).toBeCloseTo(1 / 3, 2);
    expect(facts?.agreement).toBeCloseTo(0.25);
    expect(known.get(await sourceOf(single))).toEqual({
      agreement: null,
      drawnIou: null,
      lookalike: 'none',
      slices: ['Night'],
    });
    expect(known.size).toBe(members.length);
  });

  it('knows whether an image looks like another, and whether that one is in another split', async () => {
    const of = (split: string | undefined) => members.filter((each) => each.split === split);
    const [first, second] = [...new Set(members.map(({ split }) => split))].sort(
      (a, b) => of(b).length - of(a).length,
    );
    const pair = [of(first)[0], of(second)[0]].map((each) => each?.imageId ?? '');
    const twins = of(first)
      .slice(1, 3)
      .map(({ imageId }) => imageId);
    expect(twins).toHaveLength(2);
    for (const group of [pair, twins])
      await db().update(images).set({ lookalikeOf: group[0] }).where(inArray(images.id, group));
    const facts = await loadImageFacts(db(), { projectId: shop.projectId, versionId });
    const said = async (ids: string[]) =>
      Promise.all(ids.map(async (id) => facts.get(await sourceOf(id))?.lookalike));
    expect(await said(pair)).toEqual(['other split', 'other split']);
    expect(await said(twins)).toEqual(['same split', 'same split']);
  });

  it('asks the database four times, whatever the number of images', async () => {
    const asked = await countStatements(db(), () =>
      loadImageFacts(db(), { projectId: shop.projectId, versionId }),
    );
    expect(asked).toBeLessThanOrEqual(4);
  });
});

useHome();
const actor = systemActor('Test');
const CLASSES = ['cat', 'dog'];

let projectId: string;
let model: string;
/** Its map of features is found by itself. */
let mapped: string;

beforeAll(async () => {
  ({ projectId } = await attributedProject(db(), { slug: 'attributed', count: 16, classes: CLASSES }));
  const add = async (name: string, onnx: Buffer, contract: object) => {
    const blob = await putBlob(db(), storage(), onnx, { mediaType: 'application/octet-stream' });
    const id = newId();
    await db()
      .insert(tables.models)
      .values({ id, projectId, name, blob: blob.sha256, contract: { ...contract, classes: CLASSES } });
    return id;
  };
  const tiny = tinyClassifier({ classes: 2 });
  model = await add('Bright', brightParts(), { ...brightContract, parts: [], maskValues: [] });
  mapped = await add('Tiny', tiny.onnx, tiny.contract);
});

const evaluate = async (asked: Partial<NewEvaluation>) => {
  const { id } = await startEvaluation(db(), actor, {
    projectId,
    evaluation: NewEvaluation.parse({ model, version: 'latest', split: 'all', ...asked }),
  });
  await runEvaluation({ ...jobIn(db()), storage: storage() }, { evaluationId: id });
  return getEvaluation(db(), { projectId, evaluationId: id });
};

describe('a researcher asks what attributes do to a model', () => {
  it('gets what covering and laying on does, a fit of the attributes, and the same again for nothing', async () => {
    const first = (await evaluate({ suite: 'attributes' })).metrics;
    const found = new Map(first?.findings.map((finding) => [finding.id, finding]));
    for (const id of ['removal-effect', 'insertion-effect', 'removal-flips', 'insertion-flips']) {
      expect(found.get(id)?.n, id).toBeGreaterThan(3);
      expect(Number.isFinite(found.get(id)?.value), id).toBe(true);
    }
    expect(first?.plots.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['attribute-correlation', 'attribute-means', 'attribute-covered']),
    );
    const again = (await evaluate({ suite: 'attributes' })).metrics;
    expect(again?.made).toBe(0);
    expect(again?.findings).toEqual(first?.findings);
    expect(again?.plots).toEqual(first?.plots);
  });

  it('learns which node lies on which attribute, chosen on the one split and measured on the other', async () => {
    const refused = (await evaluate({ suite: 'nodes' })).metrics;
    expect(refused?.left[0]?.why).toContain('The model exposes no feature map.');
    const { metrics } = await evaluate({ suite: 'nodes', model: mapped });
    expect(metrics?.left).toEqual([]);
    // The clean pictures, and the nodes.
    expect(metrics?.made).toBe(2 * (metrics?.images ?? 0));
    const iou = metrics?.findings.find(({ id }) => id === 'node-iou');
    expect(iou?.of).toBe(metrics?.images);
    expect(iou?.value === null || (iou?.value as number) <= 1).toBe(true);
    expect(JSON.stringify(metrics)).not.toMatch(/NaN|Infinity/);
  });

  it('reads saved slices among the groups, and finds doubtful labels in the gallery', async () => {
    const images = await db().select().from(tables.images).where(eq(tables.images.projectId, projectId));
    const sliceId = newId();
    await db().insert(tables.slices).values({ id: sliceId, projectId, name: 'My slice' });
    await db()
      .insert(tables.sliceImages)
      .values(images.slice(0, 5).map(({ id }) => ({ sliceId, imageId: id })));
    const evaluation = await evaluate({ suite: 'saliency' });
    const line = evaluation.metrics?.lines.find(({ group }) => group === 'Saved slice');
    expect(line).toMatchObject({ name: 'My slice', n: 5, filter: { group: 'Saved slice: My slice' } });
    const inSlice = await loadGallery(
      db(),
      evaluation.id,
      GalleryQuery.parse({ group: 'Saved slice: My slice' }),
    );
    expect(inSlice.total).toBe(5);
    const { items } = await loadGallery(db(), evaluation.id, GalleryQuery.parse({ sort: 'labelSuspicion' }));
    const order = items.map(({ scores }) => scores.labelSuspicion as number);
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(evaluation.metrics?.findings.map(({ id }) => id)).toContain('label-errors');
  });
});
