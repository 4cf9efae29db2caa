import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { GalleryQuery, galleryOf } from '@/lib/services/evaluations/gallery';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { putBlob, storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { tinyClassifier } from '../../support/tiny-classifier';
import { jobIn } from '../curation/audit/rated';
import { brightContract, brightParts } from '../training/loop-model';
import { attributedProject } from './support/attributed-project';

useHome();
const db = useDatabase();
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
    expect(refused?.left[0]?.why).toContain('The model exposes no map of features.');
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
    const inSlice = await galleryOf(
      db(),
      evaluation.id,
      GalleryQuery.parse({ group: 'Saved slice: My slice' }),
    );
    expect(inSlice.total).toBe(5);
    const { items } = await galleryOf(db(), evaluation.id, GalleryQuery.parse({ sort: 'labelSuspicion' }));
    const order = items.map(({ scores }) => scores.labelSuspicion as number);
    expect(order).toEqual([...order].sort((a, b) => b - a));
    expect(evaluation.metrics?.findings.map(({ id }) => id)).toContain('label-errors');
  });
});
