import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { and, eq, isNull } from 'drizzle-orm';
import { tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import type { JobContext } from '@/lib/services/jobs';
import { putBlob } from '@/lib/services/storage';
import { exportTo } from './export-to';
import { exportsFolder } from './sweep-exports';

const { exports, jobs, versions } = tables;

/** Who reads this in a browser has no business with paths of the server. */
const told = {
  place: 'the exports of this server',
  again: 'then retry the job: it goes on where it stopped.',
};

/** Writes the zip of an export beside the store, then puts it in. Taken up again by the machine that began it. */
export async function runExport(context: JobContext, { exportId }: { exportId: string }) {
  const { db, storage } = context;
  const [row] = await db
    .select({
      versionId: exports.versionId,
      format: exports.format,
      options: exports.options,
      projectId: versions.projectId,
      blob: exports.blob,
    })
    .from(exports)
    .innerJoin(versions, eq(versions.id, exports.versionId))
    .where(eq(exports.id, exportId));
  if (!row) throw notFound('export');
  if (row.blob) return { exportId, sha256: row.blob };
  const folder = exportsFolder();
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${exportId}.zip`);
  // Whole, but its worker died before the store had it.
  await rm(file, { force: true });
  const remove = () =>
    Promise.all(
      ['', '.part', '.part.journal', '.part.journal.new', '.part.lock'].map((end) =>
        rm(`${file}${end}`, { force: true }),
      ),
    );
  const { projectId, versionId, format, options } = row;
  try {
    const written = await exportTo(context, { projectId, version: versionId, format, options }, file, told);
    await context.progress(written.files, written.files, 'Storing');
    const { sha256, bytes } = await putBlob(db, storage, createReadStream(file), {
      mediaType: 'application/zip',
    });
    await db
      .update(exports)
      .set({ blob: sha256, bytes, files: written.files })
      .where(and(eq(exports.id, exportId), isNull(exports.blob)));
    await remove();
    return { exportId, sha256, bytes, files: written.files };
  } catch (error) {
    const [job] = await db
      .select({ isCancelled: jobs.cancelRequested })
      .from(jobs)
      .where(eq(jobs.id, context.jobId));
    if (job?.isCancelled) await remove();
    throw error;
  }
}
