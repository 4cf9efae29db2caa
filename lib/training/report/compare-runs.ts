import { and, desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobSpec } from '../spec';
import { type ComparedRun, tableOne } from './table-one';

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
      // Which image fell to which attack is most of a verdict, and not needed here.
      result: sql<unknown>`jsonb_build_object('metrics', jsonb_build_object('tests', (
        select jsonb_agg(test - 'images' - 'confusion' order by place)
        from jsonb_array_elements(${runs.result} #> '{metrics,tests}') with ordinality as t(test, place))))`,
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
