import { type Database, newId, tables } from '@/db';
import { putBlob, storage } from '@/lib/services/storage';
import type { LauncherKind } from '@/lib/services/training/launch';
import { NewRun, specOf } from '@/lib/services/training/runs/start-run';
import { insertProject } from '../../support/rows';

type JobState = (typeof tables.jobs.$inferSelect)['state'];

/** A project with a version that nobody looks into. */
export async function versionRow(db: Database) {
  const { projectId, schemaVersionId } = await insertProject(db);
  const manifest = await putBlob(db, storage(), Buffer.from('{}'), { mediaType: 'application/json' });
  const versionId = newId();
  await db.insert(tables.versions).values({
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
  return { projectId, versionId };
}

interface Wanted {
  launcher?: LauncherKind;
  state?: 'queued' | 'running' | 'done';
  job?: JobState;
  /** Minutes since its job ended. */
  ago?: number;
}

/** A run and the job that sees to it, in any states. */
export async function runRow(
  db: Database,
  of: { projectId: string; versionId: string },
  { launcher = 'local', state = 'running', job = 'running', ago = 5 }: Wanted = {},
) {
  const [id, jobId] = [newId(), newId()];
  const isOver = job === 'done' || job === 'failed' || job === 'cancelled';
  await db.insert(tables.jobs).values({
    id: jobId,
    kind: 'train-run',
    title: 'Train',
    projectId: of.projectId,
    state: job,
    error: job === 'failed' ? 'Broken.' : null,
    cancelRequested: job === 'cancelled',
    finishedAt: isOver ? new Date(Date.now() - ago * 60_000) : null,
  });
  const spec = specOf(NewRun.parse({ version: '1' }), 0, id);
  const [run] = await db
    .insert(tables.runs)
    .values({ id, ...of, name: `Run ${id.slice(-6)}`, spec, launcher, state, jobId })
    .returning();
  if (!run) throw new Error('The run is there.');
  return { ...run, jobId };
}

/** A file that is noted of a run. */
export async function fileRow(db: Database, runId: string, path: string, content = `${path} of ${runId}`) {
  const blob = await putBlob(db, storage(), Buffer.from(content), { mediaType: 'x/y' });
  await db.insert(tables.runFiles).values({ runId, path, blob: blob.sha256, bytes: blob.bytes });
  return blob;
}
