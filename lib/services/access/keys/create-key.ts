import { type Database, newId, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import type { Scope } from '@/lib/core/scopes';
import { record } from '@/lib/services/activity';
import { hashToken, newToken } from '../token';

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
}

/** The key itself is in this answer and nowhere else: only its hash is kept. */
export async function createKey(db: Database, actor: UserActor, input: NewKey) {
  const key = newToken('tess_');
  return db.transaction(async (tx) => {
    const [row] = await tx
      .insert(tables.apiKeys)
      .values({
        id: newId(),
        userId: actor.userId,
        name: input.name,
        prefix: key.slice(0, 12),
        keyHash: hashToken(key),
        scopes: [...new Set(input.scopes)],
        expiresAt: input.expiresAt,
      })
      .returning();
    const made = row as typeof tables.apiKeys.$inferSelect;
    await record(tx, {
      actor,
      verb: 'key.create',
      subject: 'key',
      subjectId: made.id,
      detail: { name: made.name, scopes: made.scopes, expiresAt: made.expiresAt },
    });
    return { ...made, scopes: made.scopes as Scope[], key };
  });
}
