import { eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { AnswerValue } from '@/lib/quality/answer';
import { labelFromAnswer } from './label-from-answer';

const { decisions, items } = tables;

export interface CountedAnswer {
  itemId: string;
  answerId: string;
  value: AnswerValue;
  mask: string | null;
  area: number | null;
  /** The lease was still the worker's own: its place in the item's count is kept. */
  inTime: boolean;
}

/** Lets a stored answer count for its item, which is settled when it has all it wants; or sets it aside. */
export async function countAnswer(tx: Transaction, answer: CountedAnswer): Promise<void> {
  const [item] = await tx.select().from(items).where(eq(items.id, answer.itemId)).for('no key update');
  if (!item) throw new Error('An item with a lease is there.');
  const isWanted = answer.inTime || item.leased + item.answered < item.overlap;
  const counts = item.state === 'open' && isWanted;
  const leased = item.leased - (answer.inTime ? 1 : 0);
  const answered = item.answered + (counts ? 1 : 0);
  const settles = counts && answered >= item.overlap;
  const state = settles ? 'settled' : item.state;
  await tx.update(items).set({ leased, answered, state }).where(eq(items.id, item.id));
  if (!counts) await setAside(tx, item, answer.answerId);
  // Several answers to an item are joined by consensus, not here.
  if (settles && item.overlap === 1) await labelFromAnswer(tx, item, answer);
}

async function setAside(tx: Transaction, item: typeof items.$inferSelect, answerId: string): Promise<void> {
  const why =
    item.state === 'open'
      ? 'The time for the item had run out and somebody else was given it.'
      : 'The question was closed before the answer came.';
  await tx.insert(decisions).values({
    projectId: item.projectId,
    subject: 'answer',
    subjectId: answerId,
    verdict: 'set-aside',
    reason: `${why} The answer is kept and paid, but the label is made without it.`,
    rule: 'late-answer',
    ruleVersion: 1,
    evidence: [item.id],
  });
}
