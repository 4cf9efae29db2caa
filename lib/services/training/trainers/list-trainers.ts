import { and, asc, eq, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { Capabilities, LauncherKind } from '../launch';

const { projects, runs, trainers } = tables;

/** Who was not heard of for so long is gone: two of the minutes in which every trainer says something. */
export const GONE_SECONDS = 120;

/** More than a page can show. */
const MOST = 1000;

export interface TrainerView {
  id: string;
  name: string;
  kind: LauncherKind;
  capabilities: Partial<Capabilities>;
  state: 'idle' | 'training' | 'gone';
  run: { id: string; name: string; project: string } | null;
  seenAt: Date;
  createdAt: Date;
}

/** The machines that train, those that are there first. One statement. */
export async function listTrainers(db: Db): Promise<TrainerView[]> {
  const isGone = sql<boolean>`${trainers.seenAt} < now() - make_interval(secs => ${GONE_SECONDS})`;
  const atIt = db
    .selectDistinctOn([runs.launcher, runs.trainer], {
      launcher: runs.launcher,
      trainer: runs.trainer,
      runId: runs.id,
      runName: runs.name,
      project: projects.slug,
    })
    .from(runs)
    .innerJoin(projects, eq(projects.id, runs.projectId))
    .where(
      and(
        eq(runs.state, 'running'),
        or(sql`${runs.launcher} <> 'remote'`, sql`${runs.leasedUntil} >= now()`),
      ),
    )
    .orderBy(runs.launcher, runs.trainer, sql`${runs.startedAt} desc`)
    .as('at_it');
  const rows = await db
    .select({
      id: trainers.id,
      name: trainers.name,
      kind: trainers.kind,
      capabilities: sql<Partial<Capabilities>>`${trainers.capabilities}`,
      isGone,
      runId: atIt.runId,
      runName: atIt.runName,
      project: atIt.project,
      seenAt: trainers.seenAt,
      createdAt: trainers.createdAt,
    })
    .from(trainers)
    .leftJoin(
      atIt,
      and(
        eq(atIt.launcher, trainers.kind),
        // Slurm chooses the node itself.
        or(eq(atIt.trainer, trainers.name), eq(trainers.kind, 'slurm')),
      ),
    )
    .orderBy(isGone, asc(trainers.kind), asc(trainers.name))
    .limit(MOST);
  return rows.map(({ isGone: gone, runId, runName, project, ...row }) => {
    const run = runId && runName && project ? { id: runId, name: runName, project } : null;
    return { ...row, run, state: gone ? 'gone' : run ? 'training' : 'idle' };
  });
}
