import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import { type Database, type Db, newId, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { notFound } from '@/lib/core/errors';
import type { Scope } from '@/lib/core/scopes';
import { record } from '@/lib/services/activity';

const { apiKeys, users } = tables;

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

/** A person's own keys, revoked ones too; never more than a screenful, so not in pages. */
export async function listKeys(db: Db, actor: UserActor) {
  const rows = await db
    .select()
    .from(tables.apiKeys)
    .where(eq(tables.apiKeys.userId, actor.userId))
    .orderBy(desc(tables.apiKeys.id));
  return rows.map((row) => ({ ...row, scopes: row.scopes as Scope[] }));
}

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

/** 256 random bits: guessing one is hopeless, so a plain hash is enough to store it by. */
export const newToken = (prefix = ''): string => prefix + randomBytes(32).toString('base64url');

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
