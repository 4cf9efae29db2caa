import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/auth/actor';
import { freezeVersion } from '@/lib/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/datasets/freeze/request';
import { GalleryQuery, galleryOf } from '@/lib/evaluate/gallery';
import { getEvaluation } from '@/lib/evaluate/list-evaluations';
import { NewEvaluation } from '@/lib/evaluate/new-evaluation';
import { runEvaluation } from '@/lib/evaluate/run-evaluation';
import { startEvaluation } from '@/lib/evaluate/start-evaluation';
import { putBlob, storage } from '@/lib/storage';
import { jobIn } from '../audit-queue/rated';
import { useDatabase } from '../support/database';
import { useHome } from '../support/home';
import { labelledProject, patiently } from '../support/labelled-project';
import { brightContract, brightParts } from '../training/loop-model';

useHome();
const db = useDatabase();
const actor = systemActor('Test');
const CLASSES = ['Aeroplane', 'Bird'];

async function studio(slug: string) {
  const { projectId } = await labelledProject(db(), {
    preset: 'part-imagenet',
    slug,
    count: 12,
    classes: CLASSES,
  });
  await freezeVersion(patiently(db()), actor, { projectId, request: FreezeRequest.parse({}) });
  const blob = await putBlob(db(), storage(), brightParts(), { mediaType: 'application/octet-stream' });
  const model = newId();
  await db()
    .insert(tables.models)
    .values({
      id: model,
      projectId,
      name: 'Bright',
      blob: blob.sha256,
      contract: { ...brightContract, classes: CLASSES, parts: [], maskValues: [] },
    });
  const evaluate = async (asked: Partial<NewEvaluation>, signal?: AbortSignal) => {
    const { id } = await startEvaluation(db(), actor, {
      projectId,
      evaluation: NewEvaluation.parse({ model, version: 'latest', split: 'train', ...asked }),
    });
    await runEvaluation({ ...jobIn(db(), signal), storage: storage() }, { evaluationId: id });
    return getEvaluation(db(), { projectId, evaluationId: id });
  };
  return { projectId, model, evaluate };
}

describe('a researcher evaluates a model', () => {
  it('gets every number with its n, and a second evaluation asks the model nothing', async () => {
    const { evaluate } = await studio('evaluated');
    const first = await evaluate({ suite: 'noise' });
    expect(first.state).toBe('done');
    const { metrics } = first;
    expect(metrics?.images).toBeGreaterThan(3);
    expect(metrics?.made).toBeGreaterThan(0);
    expect(metrics?.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['clean-accuracy', 'rfs', 'gray-background']),
    );
    for (const { of } of metrics?.findings ?? []) expect(of).toBe(metrics?.images);
    const again = await evaluate({ suite: 'noise' });
    expect(again.metrics?.made).toBe(0);
    expect(again.metrics?.findings).toEqual(first.metrics?.findings);
    const wider = await evaluate({ suite: 'backgrounds' });
    // The clean pictures are known; only the new variants are asked.
    expect(wider.metrics?.made).toBe(4 * (wider.metrics?.images ?? 0));
    const gallery = await galleryOf(db(), first.id, GalleryQuery.parse({ sort: 'irfs' }));
    expect(gallery.total).toBe(metrics?.images);
    const order = gallery.items.map(({ scores }) => scores.irfs).filter((value) => value !== null);
    expect(order).toEqual([...order].sort((a, b) => (a as number) - (b as number)));
  });

  it('stops when it is told to, and goes on where it was', async () => {
    const { evaluate } = await studio('stopped');
    await expect(evaluate({ suite: 'noise' }, AbortSignal.abort())).rejects.toThrow();
    const states = await db().select({ state: tables.evaluations.state }).from(tables.evaluations);
    expect(states.map(({ state }) => state)).toContain('cancelled');
    expect((await evaluate({ suite: 'noise' })).state).toBe('done');
  });

  it('is told when no image is of a class that the model knows', async () => {
    const { evaluate, model } = await studio('strangers');
    const contract = { ...brightContract, classes: ['spoon', 'fork'], parts: [], maskValues: [] };
    await db().update(tables.models).set({ contract }).where(eq(tables.models.id, model));
    await expect(evaluate({})).rejects.toThrow(/None of the \d+ images is of a class that the model knows/);
  });
});
