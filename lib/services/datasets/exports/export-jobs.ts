import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { enqueue, type JobContext } from '@/lib/services/jobs';
import { putBlob, type Storage } from '@/lib/services/storage';
import { exportVersion } from './export-version';
import { checkExport, type ExportRequest, formatRefusals } from './open-export';

const { exports, jobs, versions } = tables;

export const EXPORT_JOB = 'export-version';

/** Checks the export and starts the job that writes a zip. Throws if the format refuses the version. */
export async function startExport(
  db: Database,
  storage: Storage,
  actor: Author,
  wanted: ExportRequest,
): Promise<{ id: string; jobId: string }> {
  const check = await checkExport(db, storage, wanted);
  const { version, format, options } = check;
  if (check.refusals.length > 0)
    throw conflict(`${format.name} cannot store this version. ${formatRefusals(check)}`, {
      refusals: check.refusals,
    });
  return db.transaction(async (tx) => {
    const id = newId();
    const jobId = await enqueue(
      tx,
      EXPORT_JOB,
      { exportId: id },
      {
        title: `Export version ${version.number} as ${format.name}`,
        projectId: wanted.projectId,
        startedBy: actorId(actor),
      },
    );
    await tx.insert(exports).values({
      id,
      versionId: version.id,
      format: format.id,
      options,
      losses: [...check.losses],
      jobId,
      createdBy: actorId(actor),
    });
    await record(tx, {
      actor,
      verb: 'version.export',
      subject: 'export',
      subjectId: id,
      projectId: wanted.projectId,
      detail: { version: version.number, format: format.id, options },
    });
    return { id, jobId };
  });
}

/** Removes server paths from messages shown in the browser. */
const withoutServerPaths = {
  place: 'the exports of this server',
  again: 'then retry the job: it goes on where it stopped.',
};

/** Writes the zip of an export to a temporary file and stores it. A restarted job resumes on the same machine. */
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
  // The zip is complete, but the worker stopped before storing it.
  await rm(file, { force: true });
  const remove = () =>
    Promise.all(
      ['', '.part', '.part.journal', '.part.journal.new', '.part.lock'].map((end) =>
        rm(`${file}${end}`, { force: true }),
      ),
    );
  const { projectId, versionId, format, options } = row;
  try {
    const written = await exportVersion(
      context,
      { projectId, version: versionId, format, options },
      file,
      withoutServerPaths,
    );
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

const DAY_MS = 24 * 60 * 60 * 1000;

const exportsFolder = (): string => path.join(readConfig().home, 'exports');

/** Removes temporary files of finished exports: immediately if cancelled, after a day if failed. */
export async function sweepExports(db: Db): Promise<number> {
  const folder = exportsFolder();
  const names = await readdir(folder).catch(() => []);
  const ids = [...new Set(names.map((name) => name.split('.')[0] ?? ''))].filter((id) =>
    /^[0-9a-f-]{36}$/.test(id),
  );
  if (ids.length === 0) return 0;
  const rows = await db
    .select({ id: exports.id, jobId: exports.jobId })
    .from(exports)
    .where(inArray(exports.id, ids));
  const jobIds = rows.flatMap(({ jobId }) => (jobId ? [jobId] : []));
  const states = new Map(
    (jobIds.length === 0
      ? []
      : await db.select({ id: jobs.id, state: jobs.state }).from(jobs).where(inArray(jobs.id, jobIds))
    ).map(({ id, state }) => [id, state]),
  );
  let swept = 0;
  for (const name of names) {
    const row = rows.find(({ id }) => name.startsWith(id));
    const state = row?.jobId ? states.get(row.jobId) : undefined;
    if (state === 'queued' || state === 'running' || state === 'retrying') continue;
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (!found || (state === 'failed' && found.mtimeMs > Date.now() - DAY_MS)) continue;
    await rm(file, { force: true });
    swept += 1;
  }
  return swept;
}
