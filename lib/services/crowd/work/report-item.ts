import { and, eq } from 'drizzle-orm';
import { type Database, type Transaction, tables } from '@/db';
import type { messageKinds } from '@/db/schema';
import { conflict } from '@/lib/core/errors';
import type { UserActor } from '@/lib/services/access';
import { holdBatch } from './hold-batch';
import { releaseReported } from './release-leases';

const { leases, messages } = tables;

export interface Report {
  leaseId: string;
  /** Made by the client: the same id is the same message. */
  messageId: string;
  kind: (typeof messageKinds)[number];
  text: string;
}

/** Stores a message about an item for the curator. A broken image is taken from the worker without a penalty. */
export async function reportItem(
  db: Database,
  actor: UserActor,
  { leaseId, messageId, kind, text }: Report,
): Promise<{ messageId: string; leaseState: 'open' | 'answered' | 'released' }> {
  return db.transaction(async (tx) => {
    const { batch } = await holdBatch(tx, actor, { leaseId });
    const [made] = await tx
      .insert(messages)
      .values({ id: messageId, projectId: batch.projectId, leaseId, authorId: actor.userId, kind, text })
      .onConflictDoNothing()
      .returning({ id: messages.id });
    if (!made) await requireSame(tx, actor, leaseId, messageId);
    else if (kind === 'broken-image') await releaseReported(tx, leaseId);
    const [lease] = await tx.select({ state: leases.state }).from(leases).where(eq(leases.id, leaseId));
    const state = lease?.state ?? 'released';
    return { messageId, leaseState: state === 'late' ? 'answered' : state };
  });
}

async function requireSame(tx: Transaction, actor: UserActor, leaseId: string, messageId: string) {
  const own = and(
    eq(messages.id, messageId),
    eq(messages.leaseId, leaseId),
    eq(messages.authorId, actor.userId),
  );
  const [same] = await tx.select({ id: messages.id }).from(messages).where(own);
  if (!same) throw conflict('This message id is used for something else: make a new one.');
}
