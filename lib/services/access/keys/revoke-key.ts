import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';

const { apiKeys } = tables;

export async function revokeKey(db: Database, actor: UserActor, keyId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(apiKeys.id, keyId), eq(apiKeys.userId, actor.userId), isNull(apiKeys.revokedAt)))
      .returning({ name: apiKeys.name });
    if (!gone) throw notFound('key');
    await record(tx, { actor, verb: 'key.revoke', subject: 'key', subjectId: keyId, detail: gone });
  });
}
