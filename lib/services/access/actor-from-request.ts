import { sql } from 'drizzle-orm';
import { type Database, database } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { auth } from './better-auth';
import { actorFromKey } from './keys';
import { cleanRequestId, requestIdHeader } from './request-headers';

/**
 * Who is asking. One gate for cookies and keys: a request that shows a key is judged by the key alone,
 * whatever cookies come with it. Null: nobody we know, or somebody who was disabled.
 */
export async function actorFromRequest(
  headers: Headers,
  db: Database = database(),
): Promise<UserActor | null> {
  const requestId = cleanRequestId(headers.get(requestIdHeader));
  const key = keyIn(headers);
  if (key !== null) return actorFromKey(db, key, requestId);
  if (!headers.has('cookie')) return null;
  const found = await readSession(db, headers);
  if (!found || found.user.disabledAt) return null;
  return {
    kind: 'user',
    userId: found.user.id,
    name: found.user.name,
    email: found.user.email,
    isAdmin: found.user.isAdmin === true,
    via: 'session',
    credentialId: found.session.id,
    scopes: null,
    requestId,
  };
}

/**
 * better-auth tells every fault as its own, without the cause. We ask the database ourselves then: one that is gone
 * says so here; one that is back answers the second time.
 */
async function readSession(db: Database, headers: Headers) {
  const ask = () => auth(db).api.getSession({ headers });
  try {
    return await ask();
  } catch {
    await db.execute(sql`select 1`);
    return ask();
  }
}

export function keyIn(headers: Headers): string | null {
  const authorization = headers.get('authorization');
  if (authorization !== null) return /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '';
  return headers.get('x-api-key');
}
