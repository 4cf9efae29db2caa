import { count, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, tables } from '@/db';
import type { UserActor } from '@/lib/core/actor';
import { conflict, invalid } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { noteTrainer } from '../trainers/note-trainer';

const { trainers } = tables;

export const TrainerFacts = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'letters, digits, dots, dashes and underscores, at most 63'),
  capabilities: z.object({
    python: z.string().max(500).nullable(),
    torch: z.string().max(80).nullable(),
    gpus: z.array(z.object({ name: z.string().max(200), memoryGb: z.number().min(0) })).max(64),
    processors: z.number().int().min(1).max(100_000),
    memoryGb: z.number().min(0).max(1_000_000),
    missing: z.string().max(500).nullable(),
  }),
});
export type TrainerFacts = z.infer<typeof TrainerFacts>;

/** Enters a machine elsewhere that asks for runs, or notes that it is there again. A name belongs to a key. */
export async function enrolTrainer(
  db: Database,
  actor: UserActor,
  { name, capabilities }: TrainerFacts,
): Promise<{ id: string; name: string }> {
  if (actor.via !== 'key') throw invalid('A trainer signs in with an API key.');
  const [known] = await db.select({ id: trainers.id }).from(trainers).where(eq(trainers.name, name));
  if (!known) await refuseTooMany(db, actor.credentialId);
  const entered = await noteTrainer(db, { name, kind: 'remote', keyId: actor.credentialId, capabilities });
  if (!entered) throw conflict(`Another machine is called ${name}: choose another name, or remove it first.`);
  if (!known)
    await record(db, {
      actor,
      verb: 'trainer.add',
      subject: 'trainer',
      subjectId: entered.id,
      detail: { name, torch: capabilities.torch, gpus: capabilities.gpus.length },
    });
  return entered;
}

/** Machines of one key: whoever has stolen it cannot fill the list. */
const MOST_NAMES = 100;

async function refuseTooMany(db: Database, keyId: string): Promise<void> {
  const [held] = await db.select({ n: count() }).from(trainers).where(eq(trainers.keyId, keyId));
  if ((held?.n ?? 0) >= MOST_NAMES)
    throw conflict(`This key has entered ${MOST_NAMES} machines: remove those that are gone.`);
}
