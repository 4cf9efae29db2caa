import { and, eq, gt, ne, sql } from 'drizzle-orm';
import { type Database, type Db, newId, type Transaction, tables } from '@/db';
import { conflict, notFound } from '@/lib/core/errors';
import { followForms } from '@/lib/services/crowd/work/follow-forms';
import { followObjects } from '@/lib/services/crowd/work/follow-objects';
import { holdWithFollowing } from '@/lib/services/crowd/work/lock';
import { numberNewObjects } from '@/lib/services/crowd/work/number-objects';
import type { JobContext } from '@/lib/services/jobs';
import { rateSoon } from '@/lib/services/jobs/enqueue';
import { Tally } from './list-runs';
import { type Merged, type Merger, mergerFor } from './merger';
import { differenceOf, isKept } from './preview';
import { type AnsweredItem, hasSeveral, readItems } from './read-items';
import { takeBack } from './take-back';

const { consensusRuns, labels, items, stages } = tables;

/** Items merged in one transaction: few enough that nobody waits long for one of them. */
export const CHUNK = 250;

export type Run = typeof consensusRuns.$inferSelect;

/** The run's row is the mutex: of two workers that were given the same job, one waits and then finds its work done. */
export async function lockRun(tx: Transaction, runId: string): Promise<Run & { tally: Tally }> {
  const [run] = await tx.select().from(consensusRuns).where(eq(consensusRuns.id, runId)).for('update');
  if (!run) throw notFound('consensus run');
  return { ...run, tally: Tally.parse(run.result) };
}

/**
 * Merges the next items of a run, makes their labels and remembers how far it came, all in one transaction. The labels
 * that were current stay, and the new ones name them. What follows from a form that changed is asked, and no more.
 */
async function buildChunk(
  db: Database,
  runId: string,
  merge: Merger,
  size = CHUNK,
): Promise<{ tally: Tally; isLast: boolean }> {
  return db.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run.state !== 'building' || run.tally.isTakenBack) return { tally: run.tally, isLast: true };
    await requireOnTop(tx, run);
    const held = await lockItems(tx, run, size);
    // Read after they are held: a label that somebody corrected while we waited must not be taken for the old one.
    const items = await readItems(tx, {
      where: sql`i.id = any (${sql.param(held)}::uuid[]) and ${hasSeveral}`,
      order: sql`i.id`,
      limit: size,
    });
    const isLast = held.length < size;
    const tally = { ...(await apply(tx, run, items, merge)), after: held.at(-1) ?? run.tally.after };
    await tx
      .update(consensusRuns)
      .set({ result: tally, ...(isLast && { state: 'applied' as const, finishedAt: sql`now()` }) })
      .where(eq(consensusRuns.id, runId));
    return { tally, isLast };
  });
}

async function lockItems(
  tx: Transaction,
  { stageId, tally }: Run & { tally: Tally },
  size: number,
): Promise<string[]> {
  const found = await tx.execute<{ id: string }>(sql`
    select i.id from ${tables.items} i
    where i.stage_id = ${stageId} and ${hasSeveral} and (${tally.after}::uuid is null or i.id > ${tally.after}::uuid)
    order by i.id limit ${size}`);
  const ids = found.rows.map((row) => row.id);
  await holdWithFollowing(tx, ids);
  return ids;
}

/** A job that was retried late must not lay its labels over those of a newer run. */
async function requireOnTop(tx: Transaction, { id, stageId }: Run): Promise<void> {
  const [newer] = await tx
    .select({ id: consensusRuns.id })
    .from(consensusRuns)
    .where(
      and(
        eq(consensusRuns.stageId, stageId),
        gt(consensusRuns.id, id),
        ne(consensusRuns.state, 'taken-back'),
      ),
    )
    .limit(1);
  if (newer) throw conflict('A newer run of this stage stands above it: take that back first.');
}

async function apply(
  tx: Transaction,
  run: Run & { tally: Tally },
  items: readonly AnsweredItem[],
  merge: Merger,
): Promise<Tally> {
  const open = items.filter(({ label }) => !isKept(label) && label?.run !== run.id);
  const several = open.filter(({ answers }) => answers.length > 1);
  const merged = merge(several);
  const made = several.flatMap((item) => {
    const outcome = merged.get(item.id);
    return outcome ? [{ item, outcome, difference: differenceOf(item, outcome) }] : [];
  });
  await writeLabels(tx, run, made);
  const forms = made.filter(({ outcome, difference }) => {
    return outcome.value.kind === 'attributes' && difference.isChanged;
  });
  await followForms(tx, { projectId: run.projectId, formIds: forms.map(({ item }) => item.id), by: 'crowd' });
  const itemIds = made.map(({ item }) => item.id);
  await followObjects(tx, { projectId: run.projectId, itemIds, by: 'crowd' });
  const among = (is: (each: (typeof made)[number]) => boolean) => made.filter(is).length;
  const { tally } = run;
  return {
    ...tally,
    items: tally.items + items.length,
    made: tally.made + made.length,
    changed: tally.changed + among(({ difference }) => difference.isChanged),
    kept: tally.kept + items.filter(({ label }) => isKept(label)).length,
    tooFew: tally.tooFew + open.length - several.length,
    undecided: tally.undecided + several.length - made.length,
    ties: tally.ties + made.reduce((sum, { outcome }) => sum + outcome.ties, 0),
    appeared: tally.appeared + among(({ difference }) => difference.appears),
    vanished: tally.vanished + among(({ difference }) => difference.vanishes),
  };
}

async function writeLabels(
  tx: Transaction,
  { id, projectId, method, parameters }: Run,
  made: readonly { item: AnsweredItem; outcome: Merged }[],
): Promise<void> {
  if (made.length === 0) return;
  const ids = made.map(({ item }) => item.id);
  const objects = await numberNewObjects(
    tx,
    made.map(({ item, outcome }) => ({ itemId: item.id, imageId: item.imageId, value: outcome.value })),
  );
  await tx.execute(sql`
    update ${labels} set is_current = false where is_current and item_id = any (${sql.param(ids)}::uuid[])`);
  await tx.insert(labels).values(
    made.map(({ item, outcome: { value, mask, area, confidence } }) => ({
      id: newId(),
      projectId,
      itemId: item.id,
      imageId: item.imageId,
      target: item.target,
      value,
      mask,
      area,
      source: 'consensus' as const,
      provenance: {
        run: id,
        method,
        parameters,
        answers: item.answers.map((answer) => answer.id),
        replaces: item.label?.id ?? null,
        ...(objects.has(item.id) && { objects: objects.get(item.id) }),
      },
      confidence: Math.min(1, Math.max(0, confidence)),
    })),
  );
}

/** Builds a run from where it stands: what a killed worker or a cancelled job has done stays done. */
export async function buildConsensus(
  { db, signal, progress }: Pick<JobContext, 'db' | 'signal' | 'progress'>,
  { runId, chunk }: { runId: string; chunk?: number },
): Promise<Tally> {
  const run = await readRun(db, runId);
  const merge = await mergerFor(db, run);
  for (;;) {
    signal.throwIfAborted();
    const { tally, isLast } = await buildChunk(db, runId, merge, chunk);
    await progress(tally.items, Math.max(run.total, tally.items), `${tally.changed} labels changed`);
    if (isLast) return tally;
  }
}

async function readRun(db: Db, runId: string) {
  const [found] = await db
    .select({
      projectId: consensusRuns.projectId,
      stageId: consensusRuns.stageId,
      stageKind: stages.kind,
      method: consensusRuns.method,
      total: sql<number>`(select count(*)::int from ${items} i where i.stage_id = ${stages.id} and ${hasSeveral})`,
    })
    .from(consensusRuns)
    .innerJoin(stages, eq(stages.id, consensusRuns.stageId))
    .where(eq(consensusRuns.id, runId));
  if (!found) throw notFound('consensus run');
  // The run's own id: the same run believes the same people, however often it is taken up again.
  return { ...found, seed: runId };
}

/** Builds a run or takes it back; then the audit queue learns of the labels that are current now. */
export async function actOnRun(
  context: JobContext,
  { runId, act }: { runId: string; act: 'build' | 'take-back' },
): Promise<Tally> {
  const { db } = context;
  const tally = await (act === 'build' ? buildConsensus : takeBack)(context, { runId });
  const [run] = await db
    .select({ projectId: consensusRuns.projectId })
    .from(consensusRuns)
    .where(eq(consensusRuns.id, runId));
  if (run) await db.transaction((tx) => rateSoon(tx, run));
  return tally;
}
