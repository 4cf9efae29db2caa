import { and, count, desc, eq, isNotNull, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { JobSpec } from '@/lib/core/training-spec';
import { toldApart } from '../runs/told-apart';
import { type LabelCurves, labelCurves } from './label-curves';
import { type Study, studiesOf } from './studies-of';
import { type ComparedRun, tableOne } from './table-one';
import { withoutImages } from './without-images';

const { models, runs, versions } = tables;

/** A comparison of more rows is one of two projects. */
const MOST = 500;

export interface RunComparison {
  rows: ReturnType<typeof tableOne>;
  /** Names of the classes by the key of a row, where its models told them. */
  classes: Map<string, string[]>;
  /** Those that tried several settings, with how many runs each has altogether. */
  studies: (Study & { runs: number })[];
  /** What the number and the kind of labels did, where it was tried. */
  labels: LabelCurves[];
}

/** The finished runs of a project, those alike but for their seed as one row. Two statements. */
export async function compareRuns(
  db: Db,
  { projectId, version }: { projectId: string; version?: number },
): Promise<RunComparison> {
  const found = await db
    .select({
      id: runs.id,
      name: runs.name,
      study: runs.study,
      version: versions.number,
      versionId: runs.versionId,
      spec: sql<JobSpec>`${runs.spec}`,
      result: withoutImages(runs.result),
      toldApart: toldApart(runs.options),
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
  const started = await db
    .select({ study: runs.study, runs: count() })
    .from(runs)
    .where(and(eq(runs.projectId, projectId), isNotNull(runs.study)))
    .groupBy(runs.study);
  const runsOf = new Map(started.map((each) => [each.study, each.runs]));
  const rows = tableOne(found satisfies ComparedRun[]);
  const classOf = new Map(found.map(({ id, classes }) => [id, classes ?? []]));
  return {
    rows,
    studies: studiesOf(found).map((study) => ({ ...study, runs: runsOf.get(study.id) ?? study.finished })),
    labels: labelCurves(found),
    classes: new Map(rows.map(({ key, runs: members }) => [key, classOf.get(members[0]?.id ?? '') ?? []])),
  };
}
