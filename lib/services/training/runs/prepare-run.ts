import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { tables } from '@/db';
import { readConfig } from '@/lib/config';
import { type JobSpec, jobSpec } from '@/lib/core/training-spec';
import { createPictures } from '@/lib/services/datasets/exports/read-pictures';
import { findVersion, openVersion } from '@/lib/services/datasets/versions/open-version';
import type { JobContext } from '@/lib/services/jobs';
import { sha256Of } from '@/lib/services/storage';
import type { View } from '../../inference/preprocess';
import { type SnapshotChoice, writeSnapshot } from '../write-snapshot';
import { EventFollower, readStoredEvents, seedEvents } from './follow-events';
import { lastSeq } from './keep-events';

const { runs } = tables;

/** How a version becomes a snapshot. */
export const RunOptions = z.object({ classes: z.enum(['class', 'superclass']).default('class') });
export type RunOptions = z.infer<typeof RunOptions>;

export type RunRow = typeof runs.$inferSelect;

export const runFolder = (runId: string): string => path.join(readConfig().home, 'runs', runId);

/** Stored pictures are somewhat larger than what the network sees where it looks at their middle: 256 for 224. */
export const viewOf = ({ data }: JobSpec): View => ({
  kind: data.view,
  side: data.view === 'center' ? Math.round((data.size * 256) / 224) : data.size,
});

/** Makes the job directory: the spec, the data, and the last checkpoint where another machine has begun. */
export async function prepareRun(
  context: JobContext,
  run: RunRow,
): Promise<{ folder: string; spec: JobSpec }> {
  const folder = runFolder(run.id);
  await mkdir(path.join(folder, 'checkpoints'), { recursive: true });
  const given = run.spec as JobSpec;
  const { classes } = RunOptions.parse(run.options);
  const snapshot = await ensureSnapshot(context, run, { view: viewOf(given), classes });
  const spec = jobSpec.parse({ ...given, id: run.id, data: { ...given.data, snapshot: snapshot.hash } });
  await writeFile(path.join(folder, 'job.json'), JSON.stringify(spec, null, 2));
  await writeFile(path.join(folder, 'data.json'), JSON.stringify({ path: snapshot.folder }));
  await dropStale(context.db, run, folder);
  const checkpoint = path.join(folder, 'checkpoints', 'last.pt');
  // A trainer elsewhere fetches it itself.
  if (run.checkpoint && run.launcher !== 'remote' && !existsSync(checkpoint))
    await pipeline(await context.storage.get(run.checkpoint), createWriteStream(checkpoint));
  if (run.launcher !== 'remote' && run.attempt > 0)
    await seedEvents(folder, await readStoredEvents(context.db, run.id));
  return { folder, spec };
}

/** Another machine went on with the run since this one had it: what lies here would take it back to where it was. */
export async function dropStale(db: JobContext['db'], run: RunRow, folder: string): Promise<void> {
  const here = (await new EventFollower(folder, 0).read()).at(-1)?.seq ?? 0;
  if (here >= (await lastSeq(db, run.id))) return;
  await rm(path.join(folder, 'events.jsonl'), { force: true });
  // Where the store has none, an old one is better than none.
  if (!run.checkpoint) return;
  await rm(path.join(folder, 'checkpoints'), { recursive: true, force: true });
  await mkdir(path.join(folder, 'checkpoints'));
}

/** Snapshots are named by what they are made of: runs of one version share one. */
async function ensureSnapshot(
  { db, storage, signal, progress }: JobContext,
  run: RunRow,
  choice: SnapshotChoice,
): Promise<{ folder: string; hash: string }> {
  const version = await findVersion(db, { projectId: run.projectId, version: run.versionId });
  const name = `${version.hash.slice(0, 16)}-${choice.view.kind}-${choice.view.side}-${choice.classes}`;
  const folder = path.join(readConfig().home, 'snapshots', name);
  const manifest = path.join(folder, 'manifest.json');
  if (existsSync(manifest)) return { folder, hash: `sha256:${sha256Of(await readFile(manifest))}` };
  return writeSnapshot({
    dataset: await openVersion(db, storage, version),
    pictures: createPictures(storage),
    choice,
    folder,
    signal,
    progress: (done, total) => progress(done, total, 'Writing the snapshot'),
  });
}

export async function readRun(db: JobContext['db'], runId: string): Promise<RunRow | undefined> {
  const [run] = await db.select().from(runs).where(eq(runs.id, runId));
  return run;
}
