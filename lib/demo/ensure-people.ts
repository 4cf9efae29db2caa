import { and, eq, inArray } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import { createUser, hashPassword } from '@/lib/services/accounts';
import { type DemoPerson, demoPeople, demoWorkers } from './people';

/** Makes the people of the demo, and gives them the demo password if it has changed. Returns their ids by key. */
export async function ensurePeople(db: Database, password: string): Promise<Map<string, string>> {
  const everyone: DemoPerson[] = [
    ...new Map([...Object.values(demoPeople), ...demoWorkers].map((person) => [person.key, person])).values(),
  ];
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const emails = everyone.map((person) => person.email);
    const present = await tx
      .select({ id: tables.users.id, email: tables.users.email })
      .from(tables.users)
      .where(inArray(tables.users.email, emails));
    const ids = new Map(present.map((user) => [user.email, user.id]));
    if (ids.size > 0) {
      await tx
        .update(tables.accounts)
        .set({ password: passwordHash })
        .where(
          and(
            eq(tables.accounts.providerId, 'credential'),
            inArray(tables.accounts.userId, [...ids.values()]),
          ),
        );
    }
    for (const { key, name, email } of everyone) {
      if (ids.has(email)) continue;
      const user = await createUser(tx, systemActor('Demo'), {
        name,
        email,
        passwordHash,
        isAdmin: key === demoPeople.admin.key,
      });
      ids.set(email, user.id);
    }
    return new Map(everyone.map(({ key, email }) => [key, ids.get(email) as string]));
  });
}
