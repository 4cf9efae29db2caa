import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { and, eq, inArray } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import { readConfig } from '@/lib/config';
import { systemActor } from '@/lib/core/actor';
import { createUser, hashPassword } from '@/lib/services/accounts';
import type { Skill } from './hand';

type DemoPerson = { key: string; name: string; email: string };

/** The people a visitor can sign in as. */
export const demoPeople = {
  admin: { key: 'admin', name: 'Ada Admin', email: 'admin@demo.tessera' },
  curator: { key: 'curator', name: 'Carla Okonkwo', email: 'curator@demo.tessera' },
  researcher: { key: 'researcher', name: 'Ruben Lindqvist', email: 'researcher@demo.tessera' },
  worker1: { key: 'worker1', name: 'Wanda Silva', email: 'worker1@demo.tessera' },
  worker2: { key: 'worker2', name: 'Wen Zhao', email: 'worker2@demo.tessera' },
} as const satisfies Record<string, DemoPerson>;

export type DemoWorker = DemoPerson & {
  skill: Skill;
  secondsPerItem: number;
  /** Batches after which the worker only clicks through: what hidden checks are for. */
  tiresAfter?: number;
};

const careful: Skill = { recall: 0.95, specificity: 0.98, wobble: 0.02, careless: 0 };
const average: Skill = { recall: 0.88, specificity: 0.95, wobble: 0.05, careless: 0.04 };
export const sloppy: Skill = { recall: 0.7, specificity: 0.88, wobble: 0.1, careless: 0.25 };

/** The crowd of the demo: the two who can sign in and five who have already been at work. */
export const demoWorkers: DemoWorker[] = [
  { ...demoPeople.worker1, skill: careful, secondsPerItem: 34 },
  { ...demoPeople.worker2, skill: average, secondsPerItem: 29 },
  { key: 'w3', name: 'Iris Papadopoulou', email: 'w3@demo.tessera', skill: careful, secondsPerItem: 41 },
  {
    key: 'w4',
    name: 'Tomás Herrera',
    email: 'w4@demo.tessera',
    skill: average,
    secondsPerItem: 26,
    tiresAfter: 2,
  },
  { key: 'w5', name: 'Nadia Rahman', email: 'w5@demo.tessera', skill: average, secondsPerItem: 31 },
  { key: 'w6', name: 'Jonas Weber', email: 'w6@demo.tessera', skill: careful, secondsPerItem: 38 },
  { key: 'w7', name: 'Pavel Novák', email: 'w7@demo.tessera', skill: sloppy, secondsPerItem: 9 },
];

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

/** Easy to read aloud and to type: no l, o, 0 or 1. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * The password of the demo sign-ins. Made at first start rather than known to the world, because people
 * put demo instances on the internet.
 */
export async function demoPassword(): Promise<string> {
  const { home, TESSERA_DEMO_PASSWORD } = readConfig();
  if (TESSERA_DEMO_PASSWORD) return TESSERA_DEMO_PASSWORD;
  const file = path.join(home, 'demo-password');
  const kept = await readFile(file, 'utf8').catch(() => '');
  if (kept.trim()) return kept.trim();
  const letters = Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  const made = letters.replace(/(.{4})(?=.)/g, '$1-');
  await mkdir(home, { recursive: true });
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
