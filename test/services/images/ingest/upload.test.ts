import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { ingestUpload } from '@/lib/services/images/ingest/ingest-upload';
import { receiveFile } from '@/lib/services/images/ingest/receive-file';
import { addGeneratedImage } from '@/lib/services/images/ingest/store-image';
import { finishUpload, getUpload, startUpload } from '@/lib/services/images/ingest/uploads';
import { cancelJob } from '@/lib/services/jobs';
import { declare } from '../../jobs/worker';
import { hugePng, jpeg, png, scene, zip } from './files';
import { addsUp, curator, useIngest } from './story';

const { db, disk, newProject, context, ingest } = useIngest();

describe('an upload', () => {
  it('may give one class to all, which the schema must know', async () => {
    const result = await ingest({ 'a.jpg': await jpeg(1) }, { className: 'Dog' });
    expect(result.classes).toEqual({ 'a.jpg': 'dog' });
    await expect(ingest({}, { className: 'zebra' })).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('takes one of several equal files and calls the others its duplicates', async () => {
    const same = await jpeg(1);
    const result = await ingest({ 'a.jpg': same, 'b.jpg': same, 'c.jpg': same });
    const [kept] = result.images;
    expect(result.images).toHaveLength(1);
    expect(result.counts).toMatchObject({ files: 3, accepted: 1, duplicate: 2, refused: 0 });
    const told = Object.values(result.fate).filter((fate) => fate !== 'accepted');
    expect(new Set(told)).toEqual(new Set([`duplicate: The same file as ${kept?.name}.`]));
  });

  it('finds duplicates of earlier uploads, but not of other projects', async () => {
    const first = await ingest({ 'a.jpg': await jpeg(1) });
    const again = await ingest({ 'b.jpg': await jpeg(1) }, {}, first.project);
    const elsewhere = await ingest({ 'c.jpg': await jpeg(1) });
    expect(again.fate).toEqual({ 'b.jpg': 'duplicate: The same file as a.jpg.' });
    expect(elsewhere.fate).toEqual({ 'c.jpg': 'accepted' });
  });

  it('that was interrupted carries on, and calls nothing its own duplicate', async () => {
    const projectId = await newProject();
    const upload = await startUpload(db(), curator, { projectId });
    const entries = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => [`${n}.jpg`, await jpeg(n)]),
    );
    await receiveFile(db(), disk(), {
      uploadId: upload.id,
      name: 'many.zip',
      source: await zip(Object.fromEntries(entries)),
    });
    const stop = new AbortController();
    let settled = 0;
    const interrupted = {
      ...context(stop.signal),
      async progress() {
        if (++settled === 5) stop.abort(new Error('stopped'));
        stop.signal.throwIfAborted();
      },
    };
    await expect(ingestUpload(interrupted, upload.id)).rejects.toThrow('stopped');
    const counts = await ingestUpload(context(), upload.id);
    expect(counts).toMatchObject({ files: 13, accepted: 12, duplicate: 0, refused: 0, opened: 1 });
    expect(addsUp(counts)).toBe(true);
  });

  it('takes the same file sent twice as one, and another of its name as another', async () => {
    const upload = await startUpload(db(), curator, { projectId: await newProject() });
    const send = (content: string) =>
      receiveFile(db(), disk(), { uploadId: upload.id, name: 'a.jpg', source: Buffer.from(content) });
    const [first, again, other] = [await send('one'), await send('one'), await send('two')];
    expect(again?.id).toBe(first?.id);
    expect(other?.name).toBe('a (2).jpg');
  });

  it('refuses a file that says it is too large, before it is sent', async () => {
    const upload = await startUpload(db(), curator, { projectId: await newProject() });
    const source = Buffer.from('x');
    await expect(
      receiveFile(db(), disk(), { uploadId: upload.id, name: 'a', source, contentLength: 21e9 }),
    ).rejects.toMatchObject({ kind: 'too-large' });
  });
});

describe('an upload whose job is cancelled before it began', () => {
  it('is told as cancelled, with its files still waiting', async () => {
    await declare(db(), ['ingest']);
    const projectId = await newProject();
    const { id: uploadId } = await startUpload(db(), curator, { projectId });
    await receiveFile(db(), disk(), { uploadId, name: 'a.jpg', source: await jpeg(1) });
    const { jobId } = await finishUpload(db(), curator, { uploadId });
    await cancelJob(db(), jobId);
    expect(await getUpload(db(), { projectId, uploadId })).toMatchObject({
      state: 'cancelled',
      counts: { files: 1, waiting: 1, accepted: 0 },
    });
  });

  it('needs a file to be finished at all', async () => {
    const { id: uploadId } = await startUpload(db(), curator, { projectId: await newProject() });
    await expect(finishUpload(db(), curator, { uploadId })).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('a generated picture', () => {
  it('comes in with its class, its origin and its derivatives', async () => {
    const projectId = await newProject();
    const origin = { generator: 'scenes', seed: 7 };
    const image = { projectId, name: 'scene 7', className: 'cat', origin, bytes: await png(7) };
    const stored = await addGeneratedImage(db(), disk(), image);
    const [row] = await db().select().from(tables.images).where(eq(tables.images.id, stored.id));
    expect(row).toMatchObject({ className: 'cat', origin, width: 64, height: 48 });
    const made = await db()
      .select()
      .from(tables.derivatives)
      .where(eq(tables.derivatives.imageId, stored.id));
    expect(made.map((derivative) => derivative.kind).sort()).toEqual(['thumbnail', 'working']);
    expect(await addGeneratedImage(db(), disk(), image)).toEqual({
      id: stored.id,
      name: 'scene 7',
      isDuplicate: true,
    });
  });
});

describe('a mixed bag of files', () => {
  let result: Awaited<ReturnType<typeof ingest>>;

  beforeAll(async () => {
    result = await ingest({
      'good.jpg': await jpeg(1),
      'page.jpg': '<!DOCTYPE html><script>alert(1)</script>',
      'cut.jpg': (await scene(400, 300).jpeg().toBuffer()).subarray(0, 3000),
      'huge.png': hugePng(20_000, 10_000),
      'empty.png': '',
      'cmyk.jpg': await scene(64, 48, 2).toColourspace('cmyk').jpeg().toBuffer(),
      'deep.png': await scene(64, 48, 3).toColourspace('rgb16').png().toBuffer(),
      'turned.jpg': await scene(64, 48, 4).withMetadata({ orientation: 3 }).jpeg().toBuffer(),
      '../../../etc/cron.d/evil.png': await png(5),
      '.DS_Store': 'litter',
      'notes.txt': 'remember the milk',
      'broken.zip': 'PK\x03\x04 not really',
    });
  });

  it('gives every file an end, and the counts add up', () => {
    expect(addsUp(result.counts)).toBe(true);
    expect(result.counts).toMatchObject({ files: 11, accepted: 5, duplicate: 0, refused: 6, opened: 0 });
  });

  it('takes in what is sound and says what was done to it', () => {
    const notes = Object.fromEntries(result.images.map((image) => [image.name, image.notes]));
    expect(notes).toEqual({
      'cmyk.jpg': ['converted from CMYK'],
      'deep.png': ['reduced from 16 to 8 bits'],
      'etc/cron.d/evil.png': [],
      'good.jpg': [],
      'turned.jpg': ['turned upright'],
    });
  });

  it('gives a reason for every file it does not take', () => {
    expect(result.fate['page.jpg']).toMatch(/refused: This is a web page/);
    expect(result.fate['cut.jpg']).toMatch(/refused: The picture is damaged or cut off/);
    expect(result.fate['huge.png']).toMatch(/refused: 20000 × 10000 pixels/);
    expect(result.fate['empty.png']).toBe('refused: The file is empty.');
    expect(result.fate['notes.txt']).toMatch(/refused: This is not a picture/);
    expect(result.fate['broken.zip']).toMatch(/refused: This is not a whole ZIP archive/);
    expect(result.fate).not.toHaveProperty('.DS_Store');
  });

  it('keeps no file as it was sent: only pictures stay referred to', async () => {
    const rows = await db()
      .select()
      .from(tables.uploadFiles)
      .where(eq(tables.uploadFiles.uploadId, result.counts.uploadId));
    expect(rows.filter((row) => row.blob !== null)).toEqual([]);
  });
});
