import { and, asc, eq, gt, isNotNull } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { forEachConcurrently } from '@/lib/core/concurrency';
import { notFound } from '@/lib/core/errors';
import { limits } from '@/lib/core/image-limits';
import { schedulePredictions } from '@/lib/services/inference/predictions';
import type { JobContext } from '@/lib/services/jobs';
import { askSoon } from '@/lib/services/jobs';
import { type ByteSource, readAll, sha256Of } from '@/lib/services/storage';
import { type Entries, openArchives, openFile } from './archive';
import { type ClassTable, readTables, refusalOf } from './class-table';
import { type ClassIndex, findClass, indexClasses } from './find-class';
import { endingOf } from './label';
import { picturePool } from './picture-pool';
import { readProjectSchema } from './project-schema';
import { sniff } from './read-picture';
import { type Outcome, receiveFile, settleFile, type UploadFile } from './receive-file';
import { findBySource, storeImage } from './store-image';
import { countUpload, startUpload, type UploadCounts, UploadOptions } from './uploads';

const { uploadFiles, uploads } = tables;

export type IngestContext = Pick<JobContext, 'db' | 'storage' | 'signal' | 'progress' | 'log'>;

/**
 * Turns the files of an upload into images. What became of each file is written with the file, so a job
 * that starts again carries on where the one before stopped.
 */
export async function ingestUpload(context: IngestContext, uploadId: string): Promise<UploadCounts> {
  const { db } = context;
  const [upload] = await db.select().from(uploads).where(eq(uploads.id, uploadId));
  if (!upload) throw notFound('upload');
  const stored = await db
    .select()
    .from(uploadFiles)
    .where(and(eq(uploadFiles.uploadId, uploadId), isNotNull(uploadFiles.blob)));

  const isArchive = (file: { name: string }) => endingOf(file.name) === 'zip';
  const archives = await openArchives(context, stored.filter(isArchive));
  const table = await readTables(context, uploadId, archives);
  await ingestPictures(context, {
    upload: { id: uploadId, projectId: upload.projectId },
    options: UploadOptions.parse(upload.options),
    classes: indexClasses(await readProjectSchema(db, upload.projectId)),
    table,
    archives,
  });
  await reportUnused(context, table.unused());
  await db.transaction(async (tx) => {
    await tx.update(uploads).set({ state: 'done' }).where(eq(uploads.id, uploadId));
    // The uploaded files are no longer needed; the garbage collector can remove them.
    await tx.update(uploadFiles).set({ blob: null }).where(eq(uploadFiles.uploadId, uploadId));
    await askSoon(tx, upload.projectId);
    await schedulePredictions(tx, { projectId: upload.projectId });
  });
  return countUpload(db, uploadId);
}

/** Names that are told; a curator sees from a few what went wrong with all. */
const MAX_REPORTED = 20;

async function reportUnused({ log }: IngestContext, unused: string[]): Promise<void> {
  if (unused.length === 0) return;
  const rest = unused.length > MAX_REPORTED ? ` and ${unused.length - MAX_REPORTED} more` : '';
  const rows =
    unused.length === 1
      ? '1 row of the tables names a file'
      : `${unused.length} rows of the tables name files`;
  await log('warn', `${rows} that nobody sent: ${unused.slice(0, MAX_REPORTED).join(', ')}${rest}.`);
}

interface GivenFile {
  name: string;
  open(): ByteSource | Promise<ByteSource>;
}

interface IngestFiles {
  projectId: string;
  actor: Author;
  files: AsyncIterable<GivenFile> | Iterable<GivenFile>;
  options?: Partial<UploadOptions>;
}

/** The whole way from files to images in this process, without a queue: for the command line. */
export async function ingestFiles(
  context: IngestContext,
  input: IngestFiles,
): Promise<UploadCounts & { uploadId: string }> {
  const { db, storage } = context;
  const upload = await startUpload(db, input.actor, input);
  let received = 0;
  for await (const file of input.files) {
    context.signal.throwIfAborted();
    const source = await file.open();
    if (await receiveFile(db, storage, { uploadId: upload.id, name: file.name, source })) received += 1;
    await context.progress(received, null, file.name);
  }
  await db.update(tables.uploads).set({ state: 'ingesting' }).where(eq(tables.uploads.id, upload.id));
  return { uploadId: upload.id, ...(await ingestUpload(context, upload.id)) };
}

interface PictureRun {
  upload: { id: string; projectId: string };
  options: UploadOptions;
  classes: ClassIndex;
  table: ClassTable;
  archives: Entries;
}

const pageSize = 200;

/** Every file that still waits; two at once per decoder, so that one is decoded while the other is stored. */
async function ingestPictures(context: IngestContext, run: PictureRun): Promise<void> {
  const before = await countUpload(context.db, run.upload.id);
  const total = before.files - before.opened;
  let done = total - before.waiting;
  await context.progress(done, total, 'Reading pictures');
  let after: string | undefined;
  for (;;) {
    const page = await readPage(context.db, run.upload.id, after);
    await forEachConcurrently(2 * picturePool().size, page, async (file) => {
      context.signal.throwIfAborted();
      await ingestPicture(context, run, file);
      done += 1;
      await context.progress(done, total, file.name);
    });
    after = page.at(-1)?.id;
    if (page.length < pageSize) break;
  }
}

const readPage = (db: Db, uploadId: string, after: string | undefined): Promise<UploadFile[]> =>
  db
    .select()
    .from(uploadFiles)
    .where(
      and(
        eq(uploadFiles.uploadId, uploadId),
        eq(uploadFiles.state, 'received'),
        after ? gt(uploadFiles.id, after) : undefined,
      ),
    )
    .orderBy(asc(uploadFiles.id))
    .limit(pageSize);

async function ingestPicture(context: IngestContext, run: PictureRun, file: UploadFile): Promise<void> {
  const { db, storage } = context;
  const { projectId } = run.upload;
  const settle = (tx: Db, outcome: Outcome) => settleFile(tx, file.id, outcome);
  try {
    const bytes = await readAll(await openFile(storage, file, run.archives), limits.pictureBytes);
    const sniffed = sniff(bytes);
    if ('reason' in sniffed) return await settle(db, refused(sniffed.reason));
    const sourceSha256 = sha256Of(bytes);
    const same = await findBySource(db, projectId, sourceSha256);
    if (same) return await settle(db, duplicateOf(same));
    const found = findClass(file.name, run.table.find(file.name), run.classes, run.options);
    if ('reason' in found) return await settle(db, refused(found.reason));
    const picture = await picturePool().read(bytes);
    const image = { ...found, projectId, name: file.name, origin: null, sourceSha256 };
    // In one transaction: a second attempt must not find the image of the first and call it a duplicate.
    await storeImage(db, storage, image, picture, (tx, stored) =>
      settle(
        tx,
        stored.isDuplicate
          ? duplicateOf(stored)
          : { state: 'accepted', reason: null, imageId: stored.id, blob: null },
      ),
    );
  } catch (error) {
    const reason = refusalOf(error);
    if (reason === null) throw error;
    await settle(db, refused(reason));
  }
}

const refused = (reason: string): Outcome => ({ state: 'refused', reason, blob: null });

const duplicateOf = (image: { id: string; name: string }): Outcome => ({
  state: 'duplicate',
  reason: `The same file as ${image.name}.`,
  imageId: image.id,
  blob: null,
});
