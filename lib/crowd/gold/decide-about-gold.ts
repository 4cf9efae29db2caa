import { eq } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { type Actor, authorise } from '@/lib/auth';
import { actorId } from '@/lib/auth/actor';
import { conflict, notFound } from '@/lib/errors';

const { decisions, gold } = tables;

export interface GoldDecision {
  goldId: string;
  /** A candidate, or gold that was retired, comes into use; or it is never used, or no longer. */
  state: 'active' | 'excluded' | 'retired';
  reason: string;
}

/** A curator decides whether a gold item is used. */
export async function decideAboutGold(
  db: Database,
  actor: Actor,
  { goldId, state, reason }: GoldDecision,
): Promise<void> {
  const [found] = await db.select({ projectId: gold.projectId }).from(gold).where(eq(gold.id, goldId));
  if (!found) throw notFound('gold item');
  await authorise(db, actor, 'gold.write', { project: found.projectId });
  await db.transaction(async (tx) => {
    const [held] = await tx.select().from(gold).where(eq(gold.id, goldId)).for('no key update');
    if (held?.state === state) throw conflict(`This gold item is ${state} already.`);
    const decidedBy = actorId(actor);
    await tx
      .update(gold)
      .set({ state, ...(state === 'active' && { confirmedBy: decidedBy }) })
      .where(eq(gold.id, goldId));
    await tx.insert(decisions).values({
      projectId: found.projectId,
      subject: 'gold',
      subjectId: goldId,
      verdict: state === 'active' ? 'confirmed' : state,
      reason,
      decidedBy,
    });
  });
}
