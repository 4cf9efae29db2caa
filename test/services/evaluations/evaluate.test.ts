import { and, eq, isNotNull } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { NewEvaluation } from '@/lib/services/evaluations/evaluation-request';
import { GalleryQuery, loadGallery } from '@/lib/services/evaluations/gallery';
import { getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { runEvaluation } from '@/lib/services/evaluations/run-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob, storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { labelledProject, patiently } from '../../support/labelled-project';
import { jobIn } from '../curation/audit/rated';
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
  const model = await addModel(projectId, 'Bright');
  const start = (asked: Partial<NewEvaluation>) =>
    startEvaluation(db(), actor, {
      projectId,
      evaluation: NewEvaluation.parse({ model, version: 'latest', split: 'train', ...asked }),
    });
  const read = (id: string) => getEvaluation(db(), { projectId, evaluationId: id });
  const run = (id: string, context: Partial<JobContext> = {}) =>
    runEvaluation({ ...jobIn(db()), storage: storage(), ...context }, { evaluationId: id });
  const evaluate = async (asked: Partial<NewEvaluation>) => {
    const { id } = await start(asked);
    await run(id);
    return read(id);
  };
  return { projectId, model, start, read, run, evaluate };
}

const addModel = async (projectId: string, name: string, onnx = brightParts(), contract = {}) => {
  const blob = await putBlob(db(), storage(), onnx, { mediaType: 'application/octet-stream' });
  const id = newId();
  await db()
    .insert(tables.models)
    .values({
      id,
      projectId,
      name,
      blob: blob.sha256,
      contract: { ...brightContract, classes: CLASSES, parts: [], maskValues: [], ...contract },
    });
  return id;
};

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
    const gallery = await loadGallery(db(), first.id, GalleryQuery.parse({ sort: 'irfs' }));
    expect(gallery.total).toBe(metrics?.images);
    const order = gallery.items.map(({ scores }) => scores.irfs).filter((value) => value !== null);
    expect(order).toEqual([...order].sort((a, b) => (a as number) - (b as number)));
  });

  it('stops it in the middle, and what was asked until then is not asked again', async () => {
    const { start, read, run } = await studio('stopped');
    const { id } = await start({ suite: 'noise' });
    const stopping = new AbortController();
    const stopped = run(id, { signal: stopping.signal, progress: async () => stopping.abort() });
    await expect(stopped).rejects.toThrow();
    expect((await read(id)).metrics).toBeNull();
    const kept = await db().$count(tables.evaluationRows);
    expect(kept).toBeGreaterThan(0);
    await run(id);
    const { state, metrics } = await read(id);
    expect(state).toBe('done');
    expect(metrics?.made).toBe((await db().$count(tables.evaluationRows)) - kept);
    expect(metrics?.made).toBeGreaterThan(0);
  });

  it('reads the state of its job until there are numbers', async () => {
    const { start, read, run } = await studio('states');
    const { id, jobId } = await start({ suite: 'saliency' });
    const job = (change: Partial<typeof tables.jobs.$inferInsert>) =>
      db().update(tables.jobs).set(change).where(eq(tables.jobs.id, jobId));
    const at = new Date();
    expect((await read(id)).state).toBe('queued');
    await job({ state: 'retrying' });
    expect((await read(id)).state).toBe('running');
    await job({ state: 'failed', error: 'The model does not run.', finishedAt: at });
    expect(await read(id)).toMatchObject({
      state: 'failed',
      error: 'The model does not run.',
      finishedAt: at,
    });
    await job({ state: 'cancelled', finishedAt: at });
    expect((await read(id)).state).toBe('cancelled');
    // Retried by hand.
    await job({ state: 'running', finishedAt: null, error: null });
    expect((await read(id)).state).toBe('running');
    await run(id);
    expect((await read(id)).state).toBe('done');
  });

  it('asks again what borrows from an image whose drawing changed, and nothing else but about that image', async () => {
    const { projectId, evaluate } = await studio('redrawn');
    const before = (await evaluate({ suite: 'backgrounds', split: 'all' })).metrics;
    expect(before?.split).toBe('all');
    const [label] = await db()
      .select()
      .from(tables.labels)
      .where(and(eq(tables.labels.projectId, projectId), isNotNull(tables.labels.mask)))
      .limit(1);
    await db()
      .update(tables.labels)
      .set({ isCurrent: false })
      .where(eq(tables.labels.id, label?.id ?? ''));
    await freezeVersion(patiently(db()), actor, { projectId, request: FreezeRequest.parse({}) });
    const { metrics } = await evaluate({ suite: 'backgrounds', split: 'all' });
    const images = metrics?.images ?? 0;
    expect(metrics?.sources).toBe(before?.sources);
    // Both mixes of all images; the object alone and the background alone of the one.
    expect(metrics?.made).toBe(2 * images + 2);
  });

  it('cannot take a split that is not there, nor let a model judge itself or twice', async () => {
    const { projectId, model, start, read } = await studio('refused');
    await expect(start({ split: 'tset' })).rejects.toThrow(
      /no split "tset". It has test, train, val\. Use "all"/,
    );
    await expect(start({ oracle: [model] })).rejects.toThrow(/"Bright" is the evaluated model/);
    const twin = await addModel(projectId, 'Twin');
    await expect(start({ oracle: [twin] })).rejects.toThrow(/"Twin" is the evaluated model/);
    const judges = [
      await addModel(projectId, 'First', brightParts(1)),
      await addModel(projectId, 'Second', brightParts('n')),
    ].sort();
    const [first = '', second = ''] = judges;
    await expect(start({ oracle: [first, first] })).rejects.toThrow(/listed twice/);
    await expect(start({ oracle: [first, newId()] })).rejects.toThrow(/does not exist in this project/);
    const { id } = await start({ oracle: [second, first] });
    expect((await read(id)).options.oracle).toEqual(judges);
  });

  it('drives pictures as far as another model follows, and is told what that model is worth', async () => {
    const { projectId, evaluate } = await studio('judged');
    const judge = await addModel(projectId, 'Judge', brightParts('n'));
    const { metrics } = await evaluate({ suite: 'fmr', oracle: [judge], images: 4 });
    const found = new Map(metrics?.findings.map((finding) => [finding.id, finding]));
    for (const id of ['fmr', 'fmr-matched', 'fmr-validation-rate', 'fmr-oracle-agreement', 'fmr-steps'])
      expect(found.get(id)?.of).toBe(metrics?.images);
    // The judge says what the model says: it is as right on clean pictures.
    expect(found.get('fmr-oracle-agreement')?.value).toBe(found.get('clean-accuracy')?.value);
    expect(metrics?.notes.join(' ')).toContain('1.00 where none is made (1 by definition)');
    const small = { input: { ...brightContract.input, width: 16, height: 16 } };
    const other = await addModel(projectId, 'Small', brightParts(2), small);
    await expect(evaluate({ suite: 'fmr', oracle: [judge, other] })).rejects.toThrow(/the contract says/);
    await expect(evaluate({ suite: 'fmr' })).rejects.toThrow(/needs an oracle/);
  });

  it('is told when no image is of a class that the model knows', async () => {
    const { evaluate, model } = await studio('strangers');
    const contract = { ...brightContract, classes: ['spoon', 'fork'], parts: [], maskValues: [] };
    await db().update(tables.models).set({ contract }).where(eq(tables.models.id, model));
    await expect(evaluate({})).rejects.toThrow(/None of the \d+ images has a class of the model/);
  });
});
