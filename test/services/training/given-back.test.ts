import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { type Database, newId, tables } from '@/db';
import { giveBack, keepLease, type Trainer } from '@/lib/services/training/remote/lease';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { somebodyWaits } from '../../support/meanwhile';
import { runRow, versionRow } from './run-rows';

useHome();
const db = useDatabase();
const { runs } = tables;

/** A run that a machine elsewhere holds. */
async function heldRun() {
  const box = { id: newId(), name: 'Box', seenAt: new Date() } as Trainer;
  const run = await runRow(db(), await versionRow(db()), { launcher: 'remote' });
  const held = { trainer: box.name, attempt: 1, leasedUntil: sql`now() + interval '1 minute'` };
  await db().update(runs).set(held).where(eq(runs.id, run.id));
  const hold = { runId: run.id, attempt: 1 };
  const beat = () => keepLease(db(), box, hold);
  const now = async () => (await db().select().from(runs).where(eq(runs.id, run.id)))[0];
  return { box, hold, beat, now };
}

it('a run that was given back is on offer at once, though a heartbeat of its trainer was still on its way', async () => {
  const { box, hold, beat, now } = await heldRun();
  expect(await beat()).toEqual({ stop: false });
  await giveBack(db(), box, hold);
  await expect(beat()).rejects.toThrow('no such run');
  expect(await now()).toMatchObject({ state: 'queued', leasedUntil: null });
});

it('a run that is given back during a heartbeat of its trainer is on offer at once', async () => {
  const { box, hold, beat, now } = await heldRun();
  let beating: ReturnType<typeof beat> | undefined;
  await db().transaction(async (tx) => {
    await giveBack(tx as unknown as Database, box, hold);
    beating = beat();
    await somebodyWaits(db());
  });
  await beating;
  expect(await now()).toMatchObject({ state: 'queued', leasedUntil: null });
});
