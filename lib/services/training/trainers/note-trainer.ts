import { sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Capabilities, LauncherKind } from '../launch';

const { trainers } = tables;

export interface Noted {
  /** One row a name: that of the machine, or what its owner calls it. */
  name: string;
  kind: LauncherKind;
  /** The key a trainer elsewhere signs in with. */
  keyId?: string | null;
  capabilities: Capabilities;
}

/**
 * Null: the name belongs to a machine of another kind or key. Writes down that a machine that trains was heard of, and what it can do. What was measured on it (`rates`) stays:
 * capabilities are merged into those that are known.
 */
export async function noteTrainer(db: Database, { name, kind, keyId = null, capabilities }: Noted) {
  const [row] = await db
    .insert(trainers)
    .values({ name, kind, keyId, capabilities: { ...capabilities } })
    .onConflictDoUpdate({
      target: trainers.name,
      // A machine elsewhere whose key was removed is free to be entered with another.
      setWhere: sql`${trainers.kind} = ${kind} and coalesce(${trainers.keyId} = ${keyId}, true)`,
      set: {
        keyId,
        capabilities: sql`${trainers.capabilities} || excluded.capabilities`,
        seenAt: sql`now()`,
      },
    })
    .returning({ id: trainers.id, name: trainers.name });
  return row ?? null;
}
