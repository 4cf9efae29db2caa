import { type SQL, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { area, decodeCounts } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { answerLimits } from '@/lib/core/quality/confirmation';
import { groupBy } from '@/lib/core/quality/group-by';
import type { Policy } from '@/lib/core/quality/policy';
import { needsAnotherAnswer, type Reliability, type Settled, settle } from '@/lib/core/quality/posterior';
import { unconfirmedWorkers } from '../trust/confirm-work';
import { readReliability } from '../trust/read-reliability';
import { isSetAside } from './is-set-aside';
import type { Item } from './lock';
import type { Answer } from './settle-answers';

const { answers, batches, checks, images, leases } = tables;

/** What the answers to an item come to. */
export interface Outcome {
  value: AnswerValue;
  mask: string | null;
  area: number | null;
  source: 'answer' | 'consensus';
  provenance: Record<string, unknown>;
  confidence: number;
  /** The answers behind it. */
  answers: string[];
  /** Several people said the same, and nobody else anything else. */
  isUnanimous: boolean;
}

export interface Joining {
  which: SQL;
  items: readonly Item[];
  /** The answers that count as of now. */
  counted: readonly Answer[];
  policy: Policy;
}

/** The label of each item, or null while its answers leave it unsure and more may be asked for. */
export async function joinAnswers(
  tx: Transaction,
  { which, items, counted, policy }: Joining,
): Promise<{ item: Item; label: Outcome | null }[]> {
  const [first] = items;
  if (!first) return [];
  const several = items.filter((item) => item.answered > 1).map((item) => item.id);
  const before = several.length > 0 ? await answersBefore(tx, several, which) : [];
  const byItem = groupBy([...before, ...counted], (answer) => answer.itemId);
  const workers = [...new Set([...byItem.values()].flat().map((answer) => answer.workerId))];
  const trust = await readReliability(tx, { stageId: first.stageId, policy }, workers);
  const unconfirmed = await unconfirmedWorkers(tx, { stageId: first.stageId, policy }, workers);
  const sizes = await sizesOf(tx, items);
  return items.map((item) => {
    const given = byItem.get(item.id) ?? [];
    const weighed = given.map((answer) => ({
      ...answer,
      ...(trust.workers.get(answer.workerId) as Reliability),
    }));
    const size = sizes.get(item.imageId);
    const limits = answerLimits(policy, item.answered);
    const joined = size ? settle(weighed, { ...policy, ...limits }, size, trust.prior) : null;
    if (!joined || !size) throw new Error('An item that has all its answers has some, and an image.');
    const { maxOverlap } = limits;
    const isOpen =
      needsAnotherAnswer(item.answered, joined.isSure, { overlap: item.overlap, maxOverlap }) ||
      (given.length === 1 && given.every(({ workerId }) => unconfirmed.has(workerId)));
    return { item, label: isOpen ? null : outcomeOf(weighed, joined, size) };
  });
}

type Weighed = Answer & { accuracy: number };

/** Gives the label of weighed answers with its provenance, which explains how it was decided. */
export function outcomeOf(
  given: readonly Weighed[],
  joined: Settled,
  size: { height: number; width: number },
): Outcome {
  const { value, mask, confidence, leastCertain, posteriors, supporters, explanation } = joined;
  const ids = given.map((answer) => answer.id);
  const drawnArea =
    given.find((answer) => answer.mask === mask)?.area ?? (mask === null ? null : areaOf(mask, size));
  const same = { value, mask, area: drawnArea, confidence, answers: ids };
  const [only] = given;
  if (only && given.length === 1) {
    const provenance = { method: 'single-answer', answers: ids, accuracy: only.accuracy, explanation };
    return { ...same, value: only.value, source: 'answer', provenance, isUnanimous: false };
  }
  const weights = Object.fromEntries(given.map((answer) => [answer.id, answer.accuracy]));
  const agreed = given.filter((answer) => supporters.includes(answer.workerId)).map((answer) => answer.id);
  const certainty = { posteriors, leastCertain };
  const provenance = { method: 'posterior', answers: ids, weights, ...certainty, agreed, explanation };
  return { ...same, source: 'consensus', provenance, isUnanimous: agreed.length === given.length };
}

/** The mask of a label with several instances can be one that nobody drew as a whole. */
const areaOf = (counts: string, { height, width }: { height: number; width: number }): number =>
  area(decodeCounts(counts, height, width));

/** Answers that counted before: of batches that are over, settled if late, and not set aside since. */
async function answersBefore(tx: Transaction, itemIds: readonly string[], which: SQL): Promise<Answer[]> {
  const found = await tx.execute<Answer>(sql`
    select a.id, a.item_id as "itemId", a.worker_id as "workerId", a.value, a.mask, a.area
    from ${answers} a
    join ${leases} l on l.id = a.lease_id
    join ${batches} b on b.id = l.batch_id and b.state <> 'leased'
    where a.item_id = any (${sql.param(itemIds)}::uuid[]) and l.state <> 'late' and not (${which})
      and not exists (select 1 from ${checks} c where c.lease_id = l.id)
      and not ${isSetAside}
    order by a.created_at, a.id`);
  return found.rows;
}

async function sizesOf(tx: Transaction, items: readonly Item[]) {
  const ids = [...new Set(items.map((item) => item.imageId))];
  const found = await tx
    .select({ id: images.id, height: images.height, width: images.width })
    .from(images)
    .where(sql`${images.id} = any (${sql.param(ids)}::uuid[])`);
  return new Map(found.map((image) => [image.id, image]));
}
