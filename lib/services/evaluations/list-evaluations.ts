import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { EvaluationOptions } from './evaluation-request';
import type { EvaluationMetrics } from './run-evaluation';

const { evaluations, jobs, models, users, versions } = tables;

export interface EvaluationView {
  id: string;
  suite: string;
  options: EvaluationOptions;
  /** `waiting`: workers are answering. */
  state: 'queued' | 'running' | 'waiting' | 'done' | 'failed' | 'cancelled';
  versionId: string;
  version: number;
  versionHash: string;
  modelId: string;
  model: string;
  modelState: 'registered' | 'promoted' | 'archived';
  modelSha256: string;
  /** Null until it is finished. */
  metrics: EvaluationMetrics | null;
  jobId: string | null;
  text: string;
  done: number;
  total: number | null;
  error: string | null;
  by: string | null;
  at: Date;
  finishedAt: Date | null;
}

/** Lists evaluations of a project or model, newest first, without plots and report lines. One statement. */
export const listEvaluations = (
  db: Db,
  { projectId, modelId, limit = 200 }: { projectId: string; modelId?: string; limit?: number },
): Promise<EvaluationView[]> =>
  select(
    db,
    and(eq(evaluations.projectId, projectId), modelId ? eq(evaluations.modelId, modelId) : undefined),
    limit,
    true,
  );

export async function getEvaluation(
  db: Db,
  { projectId, evaluationId }: { projectId: string; evaluationId: string },
): Promise<EvaluationView> {
  const where = and(eq(evaluations.projectId, projectId), eq(evaluations.id, evaluationId));
  const [found] = await select(db, where, 1, false);
  if (!found) throw notFound('evaluation');
  return found;
}

/** Invalid stored options fall back to the defaults. */
const readOptions = EvaluationOptions.catch(EvaluationOptions.parse({})).parse;

async function select(
  db: Db,
  where: SQL | undefined,
  limit: number,
  isList: boolean,
): Promise<EvaluationView[]> {
  // Plots are the largest part and not needed in lists.
  const metrics = isList
    ? sql<unknown>`case when jsonb_typeof(${evaluations.metrics}) = 'object'
        then ${evaluations.metrics} - 'plots' - 'lines' else ${evaluations.metrics} end`
    : sql<unknown>`${evaluations.metrics}`;
  const rows = await db
    .select({
      id: evaluations.id,
      suite: evaluations.suite,
      options: evaluations.options,
      // Check results is there or not; until then its job knows best.
      state: sql<EvaluationView['state']>`case when ${evaluations.metrics} is not null then 'done'
        when ${evaluations.state} = 'cancelled' then 'cancelled'
        when ${evaluations.state} = 'waiting' and coalesce(${jobs.state}, 'done') not in ('failed', 'cancelled') then 'waiting'
        when ${jobs.state} = 'retrying' then 'running'
        when ${jobs.state} = 'done' then 'failed'
        else coalesce(${jobs.state}, 'failed') end`,
      versionId: evaluations.versionId,
      version: versions.number,
      versionHash: versions.hash,
      modelId: evaluations.modelId,
      model: models.name,
      modelState: models.state,
      modelSha256: models.blob,
      metrics,
      jobId: evaluations.jobId,
      text: sql<string>`coalesce(${jobs.text}, '')`,
      done: sql<number>`coalesce(${jobs.done}, 0)`,
      total: jobs.total,
      error: jobs.error,
      by: users.name,
      at: evaluations.createdAt,
      finishedAt: evaluations.finishedAt,
      endedAt: jobs.finishedAt,
    })
    .from(evaluations)
    .innerJoin(versions, eq(versions.id, evaluations.versionId))
    .innerJoin(models, eq(models.id, evaluations.modelId))
    .leftJoin(jobs, eq(jobs.id, evaluations.jobId))
    .leftJoin(users, eq(users.id, evaluations.createdBy))
    .where(where)
    .orderBy(desc(evaluations.id))
    .limit(limit);
  return rows.map(({ endedAt, ...row }) => ({
    ...row,
    finishedAt: row.finishedAt ?? endedAt,
    metrics: readMetrics(row.metrics),
    options: readOptions(row.options),
  }));
}

const text = z.string().catch('');
const count = z.number().catch(0);
const value = z.number().nullable().catch(null);
const estimate = { value, low: value, high: value, n: count, of: count };

/** Keeps the valid entries of a list. */
const listOf = <S extends z.ZodType>(item: S) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.flatMap((each) => {
        const { success, data } = item.safeParse(each);
        return success ? [data as z.output<S>] : [];
      }),
    );

/** Required fields of each kind of plot. */
const drawn = z.union([
  z.looseObject({
    kind: z.literal('lines'),
    series: listOf(z.looseObject({ points: z.array(z.looseObject({})) })),
  }),
  z.looseObject({ kind: z.literal('bars'), bars: listOf(z.looseObject({ name: z.string() })) }),
  z.looseObject({
    kind: z.literal('heat'),
    rows: z.array(z.string()),
    columns: z.array(z.string()),
    values: z.array(z.array(z.number().nullable())),
  }),
  z.looseObject({ kind: z.literal('scatter'), points: listOf(z.looseObject({ name: z.string() })) }),
  z.looseObject({
    kind: z.literal('distribution'),
    groups: listOf(z.looseObject({ name: z.string(), values: z.array(z.number()) })),
  }),
]);

const Kept = z.looseObject({
  findings: listOf(
    z.looseObject({
      id: z.string(),
      name: text,
      says: text,
      unit: z.enum(['share', 'points', 'number']).catch('number'),
      ...estimate,
    }),
  ),
  lines: listOf(
    z.looseObject({
      paradigm: z.string(),
      group: text,
      name: text,
      filter: z.looseObject({}).catch({}),
      ...estimate,
    }),
  ),
  plots: listOf(z.intersection(z.looseObject({ id: z.string(), title: text, says: text }), drawn)),
  skipped: listOf(z.looseObject({ variant: text, reason: text, count })),
  notes: listOf(z.string()),
  left: listOf(z.looseObject({ suite: text, why: text })),
  images: count,
  split: z.string().optional().catch(undefined),
  sources: text,
  plan: z.string().optional().catch(undefined),
  unknown: count,
  made: count,
  seconds: count,
  offers: z.looseObject({}).catch({}),
});

/** Parses stored metrics leniently, so that old or damaged rows do not break a page. */
const readMetrics = (kept: unknown): EvaluationMetrics | null =>
  kept === null || kept === undefined
    ? null
    : (Kept.catch(Kept.parse({})).parse(kept) as unknown as EvaluationMetrics);
