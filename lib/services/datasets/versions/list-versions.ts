import { and, desc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { Statements } from '@/lib/core/croissant';
import type { Job } from '@/lib/services/jobs';
import type { Card } from '../freeze/card';
import { findVersion } from './open-version';

const { exports, jobs, runs, users, versionNotes, versionTags, versions } = tables;

export interface VersionSummary {
  id: string;
  number: number;
  hash: string;
  description: string;
  licence: string;
  images: number;
  labels: number;
  card: Card;
  statements: Statements;
  tags: string[];
  /** Number of the version that supersedes it. */
  supersededBy: number | null;
  exports: number;
  runs: number;
  by: string | null;
  at: Date;
}

/** Lists the versions of a project, newest first, in one statement. */
export async function listVersions(
  db: Db,
  { projectId, before, limit = 100 }: { projectId: string; before?: number; limit?: number },
): Promise<VersionSummary[]> {
  return select(
    db,
    and(eq(versions.projectId, projectId), before === undefined ? undefined : lt(versions.number, before)),
    limit,
  );
}

/** Returns a version by number, tag, hash or "latest". */
export async function getVersion(
  db: Db,
  input: { projectId: string; version: string },
): Promise<VersionSummary> {
  const { id } = await findVersion(db, input);
  const [found] = await select(db, eq(versions.id, id), 1);
  return found as VersionSummary;
}

const select = async (db: Db, where: SQL | undefined, limit: number): Promise<VersionSummary[]> =>
  db
    .select({
      id: versions.id,
      number: versions.number,
      hash: versions.hash,
      description: versions.description,
      licence: versions.licence,
      images: versions.imageCount,
      labels: versions.labelCount,
      card: sql<Card>`${versions.card}`,
      statements: sql<Statements>`${versions.statements}`.mapWith((stored) => Statements.parse(stored)),
      tags: sql<string[]>`array(select t.tag from ${versionTags} t
        where t.version_id = ${versions.id} order by t.tag)`,
      supersededBy: sql<number | null>`(select s.number from ${versionNotes} n
        join ${versions} s on s.id = n.superseded_by
        where n.version_id = ${versions.id} order by n.id desc limit 1)`,
      exports: sql<number>`(select count(*)::int from ${exports} e
        where e.version_id = ${versions.id} and e.blob is not null)`,
      runs: sql<number>`(select count(*)::int from ${runs} r where r.version_id = ${versions.id})`,
      by: users.name,
      at: versions.createdAt,
    })
    .from(versions)
    .leftJoin(users, eq(users.id, versions.createdBy))
    .where(where)
    .orderBy(desc(versions.number))
    .limit(limit);

/** Lists the training runs on a version, newest first. */
export const listVersionRuns = (db: Db, versionId: string) =>
  db
    .select({ id: runs.id, name: runs.name, state: runs.state, at: runs.createdAt })
    .from(runs)
    .where(eq(runs.versionId, versionId))
    .orderBy(desc(runs.id))
    .limit(100);

/** Returns the unfinished ones of some jobs by id, in one statement. */
export async function listActiveJobs(db: Db, ids: readonly string[]): Promise<Map<string, Job>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select()
    .from(jobs)
    .where(and(inArray(jobs.id, [...ids]), isNull(jobs.finishedAt)));
  return new Map(found.map((job) => [job.id, job]));
}

/** Returns the latest job of a kind for a version (found by its title), or null. */
export async function findLatestJob(
  db: Db,
  { projectId, kind, title }: { projectId: string; kind: string; title: string },
): Promise<Job | null> {
  const [found] = await db
    .select()
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, kind), eq(jobs.title, title)))
    .orderBy(desc(jobs.id))
    .limit(1);
  return found ?? null;
}
