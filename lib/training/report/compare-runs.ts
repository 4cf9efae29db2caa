import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobSpec } from '../spec';
import { type ComparedRun, tableOne } from './table-one';
import { withoutImages } from './without-images';

const { models, runs, versions } = tables;

/** A comparison of more rows is one of two projects. */
const MOST = 500;

export interface RunComparison {
  rows: ReturnType<typeof tableOne>;
  /** Names of the classes by the key of a row, where its models told them. */
  classes: Map<string, string[]>;
}

/** The finished runs of a project, those alike but for their seed as one row. One statement. */
export async function compareRuns(
  db: Db,
  { projectId, version }: { projectId: string; version?: number },
): Promise<RunComparison> {
  const found = await db
    .select({
      id: runs.id,
      name: runs.name,
      version: versions.number,
      spec: sql<JobSpec>`${runs.spec}`,
      result: withoutImages(runs.result),
      classes: sql<string[] | null>`${models.contract} -> 'classes'`,
    })
    .from(runs)
    .innerJoin(versions, eq(versions.id, runs.versionId))
    .leftJoin(models, eq(models.runId, runs.id))
    .where(
      and(
        eq(runs.projectId, projectId),
        eq(runs.state, 'done'),
        version === undefined ? undefined : eq(versions.number, version),
      ),
    )
    .orderBy(desc(runs.id))
    .limit(MOST);
  const rows = tableOne(found satisfies ComparedRun[]);
  const classOf = new Map(found.map(({ id, classes }) => [id, classes ?? []]));
  return {
    rows,
    classes: new Map(rows.map(({ key, runs: members }) => [key, classOf.get(members[0]?.id ?? '') ?? []])),
  };
}
