import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { Policy } from '@/lib/core/quality/policy';
import { holdItems } from '../work/hold-items';
import { settleAnswers } from '../work/settle-answers';

const { answers, decisions, items } = tables;

/** A statement has 65,535 parameters at most. */
const ROWS_PER_INSERT = 1000;

export interface Reinstating {
  projectId: string;
  stageId: string;
  stageKind: StageKind;
  policy: Policy;
  workerId: string;
  /** The decision that an appeal has overturned: what was asked again because of it came after it. */
  decisionId: string;
  /** The appeal, as the evidence. */
  appealId: string;
  decidedBy: string | null;
}

/**
 * Lets answers count again that were asked again because of a decision which did not stand. A question that somebody
 * else has answered or is at by now goes on without them: its answer stays set aside, as it stays paid. Gives the
 * number of answers that count again.
 */
export async function reinstate(tx: Transaction, about: Reinstating): Promise<number> {
  const { projectId, stageId, stageKind, policy, appealId, decidedBy } = about;
  const before = await askedAgain(tx, about);
  if (before.length === 0) return 0;
  const held = await holdItems(tx, leasesIn(before));
  // Asked again: another appeal may have let the same answers count while we waited for their items.
  const aside = await askedAgain(tx, about);
  const back = aside.filter(({ itemId }) => {
    const item = held.get(itemId);
    return item?.state === 'open' && item.leased + item.answered < item.overlap;
  });
  if (back.length === 0) return 0;
  const rows = back.map(({ id }) => ({
    id: newId(),
    projectId,
    subject: 'answer' as const,
    subjectId: id,
    stageId,
    verdict: 'reinstated',
    reason: 'An appeal was granted: the answer counts again.',
    // By the same rule that set it aside: the worker hears of the appeal, not of every answer.
    rule: 'ask-again',
    ruleVersion: 1,
    evidence: [appealId],
    decidedBy,
  }));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
    await tx.insert(decisions).values(rows.slice(from, from + ROWS_PER_INSERT));
  await settleAnswers(tx, { which: leasesIn(back), held, stageKind, policy, inTime: false });
  return back.length;
}

type Aside = { id: string; leaseId: string; itemId: string };

/** Answers of the worker that were asked again since the decision, and of which nobody said anything else after that. */
async function askedAgain(tx: Transaction, { stageId, workerId, decisionId }: Reinstating): Promise<Aside[]> {
  const found = await tx.execute<Aside>(sql`
    select a.id, a.lease_id as "leaseId", a.item_id as "itemId"
    from ${answers} a join ${items} i on i.id = a.item_id and i.stage_id = ${stageId}
    where a.worker_id = ${workerId} and (
      select d.rule = 'ask-again' and d.verdict = 'set-aside' and d.id > ${decisionId} from ${decisions} d
      where d.subject = 'answer' and d.subject_id = a.id and d.verdict in ('set-aside', 'reinstated')
      order by d.id desc limit 1)`);
  return found.rows;
}

const leasesIn = (rows: readonly { leaseId: string }[]) =>
  sql`l.id = any (${sql.param(rows.map((row) => row.leaseId))}::uuid[])`;
