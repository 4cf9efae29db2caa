import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { putBlob, storage } from '@/lib/services/storage';
import { listModels } from '@/lib/services/training/models';
import { compareRuns, drawingMinutes } from '@/lib/services/training/report/compare-runs';
import { readLogTail, testsOf } from '@/lib/services/training/report/curves-of';
import { readRates, usualRates } from '@/lib/services/training/report/estimate-time';
import { previewSheet } from '@/lib/services/training/report/preview-sheet';
import { getRun, listRuns } from '@/lib/services/training/runs/list-runs';
import { resumeRun } from '@/lib/services/training/runs/resume-run';
import { NewRun, specOf, startRuns } from '@/lib/services/training/runs/start-run';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { insertItem, insertLease, insertProject, insertUser } from '../../support/rows';

const db = useDatabase();
useHome();

const share = (correct: number, n: number) => ({ n, correct, accuracy: correct / n, low: 0, high: 1 });
let projectId = '';
let versionId = '';

async function insertRun(given: Partial<NewRun>, more: Partial<typeof tables.runs.$inferInsert> = {}) {
  const id = newId();
  const spec = specOf(NewRun.parse({ version: '1', ...given }), 0, id);
  await db()
    .insert(tables.runs)
    .values({ id, projectId, versionId, name: `Run ${id}`, spec, ...more });
  return { id, spec };
}

async function keep(runId: string, path: string, bytes: Buffer) {
  const blob = await putBlob(db(), storage(), bytes, { mediaType: 'application/octet-stream' });
  await db().insert(tables.runFiles).values({ runId, path, blob: blob.sha256, bytes: blob.bytes });
}

beforeAll(async () => {
  const project = await insertProject(db());
  projectId = project.projectId;
  versionId = newId();
  const manifest = await putBlob(db(), storage(), Buffer.from('{}'), { mediaType: 'application/json' });
  await db().insert(tables.versions).values({
    id: versionId,
    projectId,
    number: 1,
    hash: manifest.sha256,
    manifest: manifest.sha256,
    schemaVersionId: project.schemaVersionId,
    imageCount: 0,
    labelCount: 0,
    card: {},
  });
});

describe('rates of training', () => {
  it('are the measured ones until a run was made here, then those of the run by method', async () => {
    const { id, spec } = await insertRun({ method: 'pgd' }, { state: 'running' });
    expect(await readRates(db(), spec)).toEqual({ ...usualRates(spec), epochs: 0, calibration: null });
    const told = (seq: number, stage: number, imagesPerSecond: number | null) => ({
      runId: id,
      seq,
      kind: 'metrics',
      document: { split: 'train', stage, epoch: seq + 2, step: seq, imagesPerSecond },
      at: new Date(),
    });
    await db()
      .insert(tables.runEvents)
      .values([told(0, 0, 1), told(1, 0, 200), told(2, 0, 100), told(3, 0, 90), told(4, 0, null)]);
    const clean = await readRates(db(), spec);
    expect(clean).toMatchObject({ clean: 100, epochs: 3 });
    // Twice as slow as the measured machine without an attack is twice as slow with one.
    expect(clean.adversarial / usualRates(spec).adversarial).toBeCloseTo(100 / usualRates(spec).clean);
    await db()
      .insert(tables.runEvents)
      .values([told(5, 1, 7)]);
    expect(await readRates(db(), spec)).toMatchObject({ clean: 100, adversarial: 7, epochs: 4 });
    const other = await insertRun({ preset: 'small-64' });
    expect(await readRates(db(), other.spec)).toMatchObject({ epochs: 0 });
  });
});

describe('the comparison', () => {
  it('knows how long people drew the training images of a version, and nothing of other work', async () => {
    const project = await insertProject(db());
    const drawing = { ...project, stageId: newId() };
    const { stageId } = drawing;
    const stage = { kind: 'part-mask', name: 'Parts', position: 2 } as const;
    await db()
      .insert(tables.stages)
      .values({ id: stageId, projectId: project.projectId, ...stage });
    const manifest = await putBlob(db(), storage(), Buffer.from('{"drawn":1}'), { mediaType: 'x/y' });
    const id = newId();
    await db()
      .insert(tables.versions)
      .values({
        ...{ id, projectId: project.projectId, number: 1, hash: manifest.sha256, manifest: manifest.sha256 },
        ...{ schemaVersionId: project.schemaVersionId, imageCount: 3, labelCount: 0, card: {} },
      });
    const workerId = await insertUser(db());
    const work = [
      [drawing, 'train', 90_000],
      [drawing, 'test', 500_000],
      [project, 'train', 700_000],
    ] as const;
    for (const [position, [place, split, activeMs]] of work.entries()) {
      const { imageId, itemId, blob } = await insertItem(db(), place);
      const { leaseId, batchId } = await insertLease(db(), place, { itemId, workerId });
      await db()
        .insert(tables.answers)
        .values({ id: newId(), leaseId, itemId, workerId, value: {}, activeMs });
      await db().update(tables.batches).set({ state: 'expired' }).where(eq(tables.batches.id, batchId));
      await db().insert(tables.versionImages).values({ versionId: id, position, imageId, split, blob });
    }
    expect(await drawingMinutes(db(), [id, versionId])).toEqual(new Map([[id, 1.5]]));
    expect(await drawingMinutes(db(), [])).toEqual(new Map());
  });

  it('reads finished runs of the project with the classes their models know', async () => {
    const tests = [{ attack: 'none', ...share(7, 10), images: { a: null }, perClass: [share(7, 10)] }];
    const { id } = await insertRun(
      {},
      { state: 'done', result: { state: 'succeeded', artifacts: [], metrics: { tests } } },
    );
    const blob = await putBlob(db(), storage(), Buffer.from('onnx'), { mediaType: 'x/y' });
    await db()
      .insert(tables.models)
      .values({ projectId, runId: id, name: 'M', blob: blob.sha256, contract: { classes: ['bird'] } });
    const { rows, classes } = await compareRuns(db(), { projectId });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.clean).toMatchObject({ value: 0.7, n: 10 });
    expect([...classes.values()]).toEqual([['bird']]);
    expect((await compareRuns(db(), { projectId, version: 2 })).rows).toEqual([]);
  });

  it('does not carry the outcome of every image through a list, and has it for the one run', async () => {
    const [listed] = (await listRuns(db(), { projectId })).filter(({ state }) => state === 'done');
    const one = await getRun(db(), { projectId, runId: listed?.id ?? '' });
    expect(JSON.stringify(listed?.result)).not.toContain('images');
    expect(testsOf(listed?.result)).toEqual(testsOf(one.result));
    expect(JSON.stringify(one.result)).toContain('images');
    expect((await listModels(db(), projectId)).map(({ contract }) => contract)).toEqual([
      { classes: ['bird'] },
    ]);
  });
});

describe('the files of a run', () => {
  it('show drawn and predicted masks over pictures, and grey where a picture is gone', async () => {
    const { id } = await insertRun({});
    const index = {
      images: ['a.png', 'gone.png'],
      labels: [0, 0],
      count: 2,
      height: 2,
      width: 2,
      level: 'part',
    };
    await keep(id, 'artifacts/previews/index.json', Buffer.from(JSON.stringify(index)));
    await keep(id, 'artifacts/previews/0-0002.u8', Buffer.from([0, 0, 0, 0, 1, 1, 0, 0]));
    await keep(id, 'artifacts/previews/truth.u8', Buffer.from([255, 255, 255, 255, 0, 0, 1, 1]));
    const grey = [128, 128, 128];
    const sheet = async (name: string) => {
      const png = await previewSheet(db(), storage(), { projectId, runId: id, name, view: 'whole' });
      const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
      expect([info.width, info.height]).toEqual([260, 128]);
      return (x: number, y: number) => [
        ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
      ];
    };
    const predicted = await sheet('0-0002');
    expect(predicted(10, 10)).toEqual(grey);
    expect(predicted(140, 10)).not.toEqual(grey);
    expect(predicted(140, 120)).toEqual(grey);
    // What nobody labelled has no colour; a part has the same one whether it was drawn or predicted.
    const truth = await sheet('truth');
    expect(truth(10, 10)).toEqual(grey);
    expect(truth(140, 120)).toEqual(predicted(140, 10));
    await expect(
      previewSheet(db(), storage(), { projectId, runId: id, name: '0-0004', view: 'whole' }),
    ).rejects.toThrow('preview');
  });

  it('end with the last whole lines of a long log', async () => {
    const { id } = await insertRun({});
    expect(await readLogTail(db(), storage(), id)).toBeNull();
    const lines = Array.from({ length: 2000 }, (_, at) => `line ${at}`);
    await keep(id, 'log.txt', Buffer.from(lines.join('\n')));
    const tail = await readLogTail(db(), storage(), id);
    expect(tail?.split('\n').at(-1)).toBe('line 1999');
    expect(lines).toContain(tail?.split('\n')[0]);
  });
});

it('a run that was cancelled before it began could not go on', async () => {
  const actor = systemActor('Test');
  const [started] = await startRuns(db(), actor, {
    projectId,
    run: NewRun.parse({ version: '1', name: 'Stopped early' }),
  });
  const runId = started?.id ?? '';
  await expect(resumeRun(db(), actor, { projectId, runId })).rejects.toThrow('can go on');
  await db()
    .update(tables.jobs)
    .set({ state: 'cancelled', finishedAt: new Date() })
    .where(eq(tables.jobs.id, started?.jobId ?? ''));
  expect((await getRun(db(), { projectId, runId })).state).toBe('cancelled');
  const { jobId } = await resumeRun(db(), actor, { projectId, runId });
  expect(jobId).not.toBe(started?.jobId);
  expect((await getRun(db(), { projectId, runId })).state).toBe('queued');
});
