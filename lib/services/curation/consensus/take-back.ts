import { eq, sql } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import { followForms } from '@/lib/services/crowd/work/follow-forms';
import { followObjects } from '@/lib/services/crowd/work/follow-objects';
import { holdWithFollowing } from '@/lib/services/crowd/work/lock';
import type { JobContext } from '@/lib/services/jobs';
import { lockRun, type Run } from './build-consensus';
import type { Tally } from './list-runs';

const { consensusRuns, items, labels } = tables;

const CHUNK = 500;

/** Gives back the labels that were current before a run. Where somebody has corrected its label since, that stays. */
export async function takeBack(
  { db, signal, progress }: Pick<JobContext, 'db' | 'signal' | 'progress'>,
  { runId }: { runId: string },
): Promise<Tally> {
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const step = await takeBackChunk(db, runId, after);
    after = step.after;
    await progress(step.tally.restored, Math.max(step.tally.made, step.tally.restored));
    if (step.isLast) return step.tally;
  }
}

async function takeBackChunk(db: Database, runId: string, after: string | null) {
  return db.transaction(async (tx) => {
    const run = await lockRun(tx, runId);
    if (run.state === 'taken-back') return { tally: run.tally, isLast: true, after };
    const own = await ownLabels(tx, run, after);
    const { restored, forms } = await swap(tx, own);
    await followForms(tx, { projectId: run.projectId, formIds: forms, by: 'crowd' });
    const itemIds = own.map(({ itemId }) => itemId);
    await followObjects(tx, { projectId: run.projectId, itemIds, by: 'crowd' });
    const isLast = own.length < CHUNK;
    const tally = { ...run.tally, isTakenBack: true, restored: run.tally.restored + restored };
    await tx
      .update(consensusRuns)
      .set({ result: tally, ...(isLast && { state: 'taken-back' as const, finishedAt: sql`now()` }) })
      .where(eq(consensusRuns.id, runId));
    return { tally, isLast, after: own.at(-1)?.itemId ?? after };
  });
}

type Own = { id: string; itemId: string };

/** Labels of the run that were current a moment ago; their items are held. */
async function ownLabels(tx: Transaction, run: Run, after: string | null): Promise<Own[]> {
  const found = await tx.execute<Own>(sql`
    select l.id, i.id as "itemId"
    from ${items} i join ${labels} l on l.item_id = i.id and l.is_current
    where i.stage_id = ${run.stageId} and l.provenance->>'run' = ${run.id}
      and (${after}::uuid is null or i.id > ${after}::uuid)
    order by i.id limit ${CHUNK}`);
  await holdWithFollowing(
    tx,
    found.rows.map(({ itemId }) => itemId),
  );
  return found.rows;
}

/** Only where the run's label is current at this moment: a correction that came in between stays. */
async function swap(tx: Transaction, own: readonly Own[]): Promise<{ restored: number; forms: string[] }> {
  if (own.length === 0) return { restored: 0, forms: [] };
  const ended = await tx.execute<{ replaces: string | null; itemId: string; kind: string }>(sql`
    update ${labels} set is_current = false
    where is_current and id = any (${sql.param(own.map((label) => label.id))}::uuid[])
    returning provenance->>'replaces' as replaces, item_id as "itemId", value->>'kind' as kind`);
  const before = ended.rows.flatMap(({ replaces }) => replaces ?? []);
  await tx.execute(sql`update ${labels} set is_current = true where id = any (${sql.param(before)}::uuid[])`);
  const forms = ended.rows.filter(({ kind }) => kind === 'attributes').map(({ itemId }) => itemId);
  return { restored: ended.rows.length, forms };
}
