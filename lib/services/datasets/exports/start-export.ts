import { type Database, newId, tables } from '@/db';
import { type Author, actorId } from '@/lib/core/actor';
import { conflict } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { enqueue } from '@/lib/services/jobs';
import type { Storage } from '@/lib/services/storage';
import { checkExport, refusalText, type WantedExport } from './open-export';

const { exports } = tables;

export const EXPORT_JOB = 'export-version';

/** Checks, then starts the job that writes a zip. A refusal comes now, with its list. */
export async function startExport(
  db: Database,
  storage: Storage,
  actor: Author,
  wanted: WantedExport,
): Promise<{ id: string; jobId: string }> {
  const check = await checkExport(db, storage, wanted);
  const { version, format, options } = check;
  if (check.refusals.length > 0)
    throw conflict(`${format.name} cannot hold this version. ${refusalText(check)}`, {
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
