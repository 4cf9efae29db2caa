import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { format as cvat } from '@/lib/core/formats/cvat';
import { importUpload } from '@/lib/services/datasets/import/import-upload';
import { detectFormat, openUploadTree } from '@/lib/services/datasets/import/source-trees';
import { readImageOutlines } from '@/lib/services/images/image-outlines';
import { receiveFile } from '@/lib/services/images/ingest/receive-file';
import { finishUpload, getUpload, listUploadFiles, startUpload } from '@/lib/services/images/ingest/uploads';
import { createProject } from '@/lib/services/projects';
import { partDataset, tinyPng } from '@/test/core/formats/support/dataset-files';
import { written } from '@/test/support/formats';
import { runTessera, temporaryHome } from '@/test/support/instance';
import { zip } from '../../images/ingest/files';
import { addsUp, useIngest } from '../../images/ingest/story';
import { declare } from '../../jobs/worker';

const { db, disk, context } = useIngest();
const cora = systemActor('Cora');

/** Sends files to a new upload of a new draft. */
async function send(files: Record<string, Buffer>) {
  await declare(db(), ['rate-labels', 'ask-questions', 'import-dataset', 'ingest']);
  const { id: projectId } = await createProject(db(), cora, {
    name: 'Sent',
    slug: `p-${newId()}`,
    preset: 'rival10',
  });
  const { id: uploadId } = await startUpload(db(), cora, { projectId });
  for (const [name, source] of Object.entries(files))
    await receiveFile(db(), disk(), { uploadId, name, source });
  return { projectId, uploadId };
}

async function bring({ projectId, uploadId }: { projectId: string; uploadId: string }) {
  const [guess] = await detectFormat(await openUploadTree(db(), disk(), uploadId));
  const { jobId } = await finishUpload(db(), cora, {
    uploadId,
    dataset: { format: guess?.format ?? '', mayAdopt: true },
  });
  const [job] = await db().select().from(tables.jobs).where(eq(tables.jobs.id, jobId));
  const counts = await importUpload(context(), { uploadId, author: cora, mayAdopt: true });
  return { guess, job, counts, upload: await getUpload(db(), { projectId, uploadId }) };
}

describe('a curator drops a dataset on “Add images”', () => {
  const buffers = async () =>
    Object.fromEntries(
      [...(await written(cvat, await partDataset()))].map(([name, bytes]) => [name, Buffer.from(bytes)]),
    );

  it('as a zip: what it is is told first, and every image has its fate', async () => {
    const sent = await send({ 'pets.zip': await zip(await buffers()) });
    const { guess, job, counts, upload } = await bring(sent);
    expect(guess).toMatchObject({
      format: 'cvat',
      because: expect.stringMatching(/pets\.zip\/annotations\.xml/),
    });
    expect(job).toMatchObject({ kind: 'import-dataset', title: 'Import a dataset (cvat)' });
    expect(counts.images).toMatchObject({ total: 6, accepted: 6 });
    expect(upload).toMatchObject({ state: 'done', options: { format: 'cvat' } });
    expect(upload.counts).toMatchObject({ accepted: 6, refused: 0, opened: 1 });
    expect(addsUp(upload.counts)).toBe(true);
    const files = await listUploadFiles(db(), { uploadId: sent.uploadId, limit: 100 });
    expect(files.every(({ blob }) => blob === null)).toBe(true);
    const imageIds = files.flatMap(({ imageId }) => (imageId ? [imageId] : []));
    const outlines = await readImageOutlines(db(), { projectId: sent.projectId, imageIds });
    expect(outlines.flatMap((each) => each.outlines).length).toBeGreaterThan(20);
  });

  it('as a folder of loose files: each picture is counted once', async () => {
    const { counts, upload } = await bring(await send(await buffers()));
    expect(counts.images).toMatchObject({ total: 6, accepted: 6 });
    // The schema and the label file are no pictures.
    expect(upload.counts).toMatchObject({ files: 8, accepted: 6, opened: 2 });
  });

  it('whose zip is broken: nothing is guessed', async () => {
    const { uploadId } = await send({ 'pets.zip': Buffer.from('no zip at all') });
    expect(await detectFormat(await openUploadTree(db(), disk(), uploadId))).toEqual([]);
  });
});

let place: Awaited<ReturnType<typeof temporaryHome>>;
let folder = '';
beforeAll(async () => {
  place = await temporaryHome();
  folder = await mkdtemp(path.join(os.tmpdir(), 'tessera-import-'));
  const coco = {
    images: [{ id: 1, file_name: 'a.png', width: 4, height: 4 }],
    categories: [{ id: 1, name: 'dog' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, segmentation: [[0, 0, 2, 0, 2, 2]] }],
  };
  await writeFile(path.join(folder, 'labels.json'), JSON.stringify(coco));
  await writeFile(path.join(folder, 'a.png'), tinyPng);
});
afterAll(async () => {
  await place.remove();
  await rm(folder, { recursive: true, force: true });
});

it('a person who gives --refuse-unknown with a dataset is told what it is for, before anything is touched', async () => {
  const typed = ['import', folder, '--project', 'pets', '--refuse-unknown'];
  const { code, output } = await runTessera(typed, place.env);
  expect(code).toBe(2);
  expect(output).toContain('--refuse-unknown is for pictures');
  expect(output).toContain('Remove the option, or pass --format pictures.');
  expect(place.server()).toBeFalsy();
});
