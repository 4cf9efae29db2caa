import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { readContract } from '@/app/(console)/projects/[project]/models/read-contract';
import { newId, tables } from '@/db';
import { putBlob, storage } from '@/lib/services/storage';
import { registerModel } from '@/lib/services/training/runs/register-model';
import { NewRun, specOf } from '@/lib/services/training/runs/start-run';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { insertProject } from '../../support/rows';
import { jobIn } from '../curation/audit/rated';

useHome();
const db = useDatabase();

it('a model does not carry the outcome of every test image, its run does', async () => {
  const { projectId, schemaVersionId } = await insertProject(db());
  const put = (text: string) => putBlob(db(), storage(), Buffer.from(text), { mediaType: 'x/y' });
  const manifest = await put('{}');
  const versionId = newId();
  await db().insert(tables.versions).values({
    id: versionId,
    projectId,
    number: 1,
    hash: manifest.sha256,
    manifest: manifest.sha256,
    schemaVersionId,
    imageCount: 0,
    labelCount: 0,
    card: {},
  });
  const id = newId();
  const tests = [{ attack: 'none', n: 2, accuracy: 0.5, images: { a: 0, b: 1 } }];
  const result = { state: 'succeeded' as const, artifacts: [], metrics: { tests, loss: 1 } };
  const spec = specOf(NewRun.parse({ version: '1' }), 0, id);
  const [run] = await db()
    .insert(tables.runs)
    .values({ id, projectId, versionId, name: 'One', spec, result })
    .returning();
  if (!run) throw new Error('The run is there.');
  for (const path of ['artifacts/model.onnx', 'artifacts/model.json']) {
    const blob = await put(JSON.stringify({ path }));
    await db().insert(tables.runFiles).values({ runId: id, path, blob: blob.sha256, bytes: blob.bytes });
  }
  const made = await registerModel({ ...jobIn(db()), storage: storage() }, run, result, {});
  const [model] = await db().select().from(tables.models).where(eq(tables.models.id, made.id));
  expect(model?.contract.metrics).toEqual({ tests: [{ attack: 'none', n: 2, accuracy: 0.5 }], loss: 1 });
});

it('the page of a model whose contract tells nothing does not crash', () => {
  expect(readContract({})).toMatchObject({ classes: [], input: null });
});
