import { type Database, newId, tables } from '@/db';
import type { Role } from '@/db/schema';
import { type Scope, systemActor, type UserActor } from '@/lib/services/access';
import { createKey } from '@/lib/services/access/keys';
import { createUser, hashPassword } from '@/lib/services/accounts';
import { createProject } from '@/lib/services/projects';

export const tests = systemActor('tests');
export const password = 'correct horse battery';

let hash: Promise<string> | undefined;

/** A person with an account, as they are when signed in. */
export async function person(db: Database, name: string, isAdmin = false): Promise<UserActor> {
  hash ??= hashPassword(password);
  const email = `${name.toLowerCase()}-${newId().slice(-6)}@example.org`;
  const user = await createUser(db, tests, { name, email, passwordHash: await hash, isAdmin });
  return {
    kind: 'user',
    userId: user.id,
    name,
    email,
    isAdmin,
    via: 'session',
    credentialId: newId(),
    scopes: null,
    requestId: null,
  };
}

export async function project(db: Database, name = 'Birds') {
  return createProject(db, tests, { name, slug: `p${newId().slice(-10)}`, preset: 'rival10' });
}

export async function join(db: Database, actor: UserActor, projectId: string, ...roles: Role[]) {
  await db
    .insert(tables.memberships)
    .values(roles.map((role) => ({ projectId, userId: actor.userId, role })));
}

export async function keyOf(db: Database, actor: UserActor, ...scopes: Scope[]): Promise<string> {
  return (await createKey(db, actor, { name: 'script', scopes, expiresAt: null })).key;
}
