import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { Policy } from '@/lib/core/quality/policy';
import { hearAnswers } from '../oracle';
import { joinAnswers } from './join-answers';
import type { Item } from './lock';
import { makeLabels } from './make-labels';

const { answers, checks, items, leases } = tables;

export type Answer = {
  id: string;
  itemId: string;
  workerId: string;
  value: AnswerValue;
  mask: string | null;
  area: number | null;
  /** The lease was not counted in its item. */
  isExtra?: boolean;
};

interface Settling {
  /** The leases `l` whose answers come to count now. */
  which: SQL;
  /** Their items, locked. */
  held: ReadonlyMap<string, Item>;
  stageKind: StageKind;
  policy: Policy;
  /** The leases were still the workers' own: their places in the counts of the items are kept. */
  inTime: boolean;
}

/**
 * Lets stored answers count for their items, or sets them aside. An item that has all it wants becomes a label;
 * while its answers leave it unsure, it wants one more.
 */
export async function settleAnswers(tx: Transaction, settling: Settling): Promise<void> {
  const { which, held, policy, stageKind, inTime } = settling;
  const given = await answersOf(tx, which);
  if (given.length === 0) return;
  const touched = new Map<string, Item>();
  const late: { item: Item; answerId: string }[] = [];
  const counted: Answer[] = [];
  for (const answer of given) {
    const item = touched.get(answer.itemId) ?? held.get(answer.itemId);
    if (!item) throw new Error('The item of an answer is held.');
    const isCounted = inTime && !answer.isExtra;
    const isWanted = isCounted || item.leased + item.answered < item.overlap;
    const counts = item.state === 'open' && isWanted;
    touched.set(item.id, {
      ...item,
      leased: item.leased - (isCounted ? 1 : 0),
      answered: item.answered + (counts ? 1 : 0),
    });
    if (counts) counted.push(answer);
    else late.push({ item, answerId: answer.id });
  }
  const isReady = ({ state, answered, overlap }: Item) => state === 'open' && answered >= overlap;
  const ready = counted.flatMap(({ itemId }) => touched.get(itemId) ?? []).filter(isReady);
  const outcomes = await joinAnswers(tx, { which, items: [...new Set(ready)], counted, policy });
  for (const { item, label } of outcomes) {
    touched.set(item.id, label ? { ...item, state: 'settled' } : { ...item, overlap: item.answered + 1 });
  }
  await writeItems(tx, held, [...touched.values()]);
  await setAside(tx, late);
  const labels = outcomes.flatMap(({ item, label }) => (label ? [{ item, ...label }] : []));
  if (
    stageKind === 'oracle' &&
    (await hearAnswers(
      tx,
      labels.map(({ item }) => item),
    ))
  )
    return;
  await makeLabels(tx, labels, stageKind, policy);
}

/** Of ordinary items; the answers to checks were scored and count for nothing else. */
async function answersOf(tx: Transaction, which: SQL): Promise<Answer[]> {
  const found = await tx.execute<Answer>(sql`
    select a.id, a.item_id as "itemId", a.worker_id as "workerId", a.value, a.mask, a.area,
      l.is_extra as "isExtra"
    from ${leases} l join ${answers} a on a.lease_id = l.id
    where ${which} and l.state = 'answered' and not exists (select 1 from ${checks} c where c.lease_id = l.id)
    order by a.created_at, a.id`);
  return found.rows;
}

/** Places are counted down, not written: of the same item others may just have been released. */
async function writeItems(
  tx: Transaction,
  held: ReadonlyMap<string, Item>,
  list: readonly Item[],
): Promise<void> {
  const rows = list.map(({ id, leased, answered, overlap, state }) => ({
    id,
    ended: (held.get(id)?.leased ?? leased) - leased,
    answered,
    overlap,
    state,
  }));
  await tx.execute(sql`
    update ${items} i set leased = i.leased - new.ended, answered = new.answered, overlap = new.overlap, state = new.state
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as new(id uuid, ended int, answered int, overlap int, state text)
    where i.id = new.id`);
}

/** Answers for which there was no place left. They are kept and paid, and the decision says why they do not count. */
async function setAside(tx: Transaction, late: readonly { item: Item; answerId: string }[]): Promise<void> {
  if (late.length === 0) return;
  await tx.insert(tables.decisions).values(
    late.map(({ item, answerId }) => {
      const why =
        item.state === 'open'
          ? 'The time for the item had run out and somebody else was given it.'
          : 'The question was closed before the answer came.';
      return {
        projectId: item.projectId,
        subject: 'answer' as const,
        subjectId: answerId,
        verdict: 'set-aside',
        reason: `${why} The answer is kept and paid, but the label is made without it.`,
        rule: 'late-answer',
        ruleVersion: 1,
        evidence: [item.id],
      };
    }),
  );
}
