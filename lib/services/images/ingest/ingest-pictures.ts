import { and, asc, eq, gt } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { limits } from '@/lib/core/image-limits';
import { readAll, sha256Of } from '@/lib/services/storage';
import type { ClassTable } from './class-table';
import { type ClassIndex, findClass } from './find-class';
import { inParallel } from './in-parallel';
import type { IngestContext } from './ingest-upload';
import type { Entries } from './open-archives';
import { openFile } from './open-file';
import { picturePool } from './picture-pool';
import type { UploadFile } from './receive-file';
import { refusalOf } from './refusal';
import { type Outcome, settleFile } from './settle-file';
import { sniff } from './sniff';
import { findBySource, storeImage } from './store-image';
import { countUpload } from './upload-counts';
import type { UploadOptions } from './upload-options';

const { uploadFiles } = tables;

export interface PictureRun {
  upload: { id: string; projectId: string };
  options: UploadOptions;
  classes: ClassIndex;
  table: ClassTable;
  archives: Entries;
}

const pageSize = 200;

/** Every file that still waits; two at once per decoder, so that one is decoded while the other is stored. */
export async function ingestPictures(context: IngestContext, run: PictureRun): Promise<void> {
  const before = await countUpload(context.db, run.upload.id);
  const total = before.files - before.opened;
  let done = total - before.waiting;
  await context.progress(done, total, 'Reading pictures');
  let after: string | undefined;
  for (;;) {
    const page = await readPage(context.db, run.upload.id, after);
    await inParallel(2 * picturePool().size, page, async (file) => {
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
