import { and, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import type { Scope } from '@/lib/core/scopes';
import { hashToken } from '../token';

const { apiKeys, users } = tables;

export async function actorFromKey(db: Db, key: string, requestId: string | null): Promise<UserActor | null> {
  const [found] = await db
    .select({ key: apiKeys, user: users })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .where(
      and(
        eq(apiKeys.keyHash, hashToken(key)),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, sql`now()`)),
        isNull(users.disabledAt),
      ),
    );
  if (!found) return null;
  await noteUse(db, found.key);
  const scopes = new Set(found.key.scopes as Scope[]);
  return {
    kind: 'user',
    userId: found.user.id,
    name: found.user.name,
    email: found.user.email,
    isAdmin: found.user.isAdmin && scopes.has('admin'),
    isOfAdmin: found.user.isAdmin,
    via: 'key',
    credentialId: found.key.id,
    scopes,
    requestId,
  };
}

const minuteMs = 60_000;

/** At most one write a minute, so that a busy script does not turn every read into a write. */
async function noteUse(db: Db, key: typeof apiKeys.$inferSelect): Promise<void> {
  if (key.lastUsedAt && Date.now() - key.lastUsedAt.getTime() < minuteMs) return;
  await db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()` })
    .where(
      and(
        eq(apiKeys.id, key.id),
        or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`)),
      ),
    );
}
