import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { useDatabase } from '../support/database';
import { insertItem, insertLease, insertProject, insertUser, type ProjectRows } from '../support/rows';
import { refusal } from './refusal';

const db = useDatabase();
let project: ProjectRows;
let workerId: string;

beforeAll(async () => {
  project = await insertProject(db());
  workerId = await insertUser(db());
});

const later = () => new Date(Date.now() + 60_000);

describe('work', () => {
  it('is never given twice to the same worker', async () => {
    const { itemId } = await insertItem(db(), project);
    const { batchId } = await insertLease(db(), project, { itemId, workerId });
    const again = db().insert(tables.leases).values({ batchId, itemId, workerId, position: 1 });
    expect(await refusal(again)).toBe('leases_never_twice');
    await db().update(tables.batches).set({ state: 'expired' }).where(eq(tables.batches.id, batchId));
  });

  it('is given to a worker one batch at a time in a stage', async () => {
    const { projectId, stageId } = project;
    const batch = () =>
      db().insert(tables.batches).values({ projectId, stageId, workerId, leasedUntil: later() }).returning();
    const [first] = await batch();
    expect(await refusal(batch())).toBe('batches_one_at_a_time');
    await db()
      .update(tables.batches)
      .set({ state: 'returned' })
      .where(eq(tables.batches.id, first?.id ?? ''));
    await batch();
    await db().update(tables.batches).set({ state: 'returned' });
  });

  it('is answered once per lease', async () => {
    const { itemId } = await insertItem(db(), project);
    const { leaseId } = await insertLease(db(), project, { itemId, workerId });
    const answer = () =>
      db().insert(tables.answers).values({ id: newId(), leaseId, itemId, workerId, value: {}, activeMs: 1 });
    await answer();
    expect(await refusal(answer())).toBe('answers_lease_id_unique');
    await db().update(tables.batches).set({ state: 'returned' });
  });

  it('is asked once per picture and target', async () => {
    const { imageId } = await insertItem(db(), project);
    const { projectId, stageId, schemaVersionId } = project;
    const again = db().insert(tables.items).values({ projectId, stageId, imageId, schemaVersionId });
    expect(await refusal(again)).toBe('items_question');
  });

  it('shows no gold twice to the same worker', async () => {
    const { itemId } = await insertItem(db(), project);
    const other = await insertItem(db(), project);
    const goldId = newId();
    await db().insert(tables.gold).values({ id: goldId, projectId: project.projectId, itemId, value: {} });
    const { batchId, leaseId } = await insertLease(db(), project, { itemId, workerId });
    await db().insert(tables.checks).values({ leaseId, goldId, workerId });
    const [second] = await db()
      .insert(tables.leases)
      .values({ batchId, itemId: other.itemId, workerId, position: 1 })
      .returning();
    const again = db()
      .insert(tables.checks)
      .values({ leaseId: second?.id ?? '', goldId, workerId });
    expect(await refusal(again)).toBe('checks_gold_never_twice');
    await db().update(tables.batches).set({ state: 'returned' });
  });
});

describe('money', () => {
  const entry = (row: Partial<typeof tables.ledger.$inferInsert>) =>
    db()
      .insert(tables.ledger)
      .values({
        projectId: project.projectId,
        workerId,
        kind: 'batch',
        sourceId: newId(),
        amountMicro: 1_000_000n,
        currency: 'USD',
        ...row,
      });

  it('is never paid twice for the same thing', async () => {
    const sourceId = newId();
    await entry({ sourceId });
    expect(await refusal(entry({ sourceId }))).toBe('ledger_paid_once');
    await entry({ sourceId, kind: 'bonus' });
  });

  it('is earned upwards and paid out downwards', async () => {
    expect(await refusal(entry({ amountMicro: -1n }))).toBe('ledger_sign');
    expect(await refusal(entry({ kind: 'payment', amountMicro: 1n }))).toBe('ledger_sign');
    await entry({ kind: 'payment', amountMicro: -1_000_000n });
    await entry({ kind: 'adjustment', amountMicro: -5n });
  });

  it('keeps the worker who earned it from being deleted', async () => {
    const statement = db().delete(tables.users).where(eq(tables.users.id, workerId));
    expect(await refusal(statement)).toMatch(/_users_id_fk$/);
  });
});

describe('names', () => {
  it.each(['', 'Birds', '-birds', 'birds-', 'bird nest', 'a'.repeat(64), 'vögel'])(
    'of projects in addresses are plain: not "%s"',
    async (slug) => {
      expect(await refusal(db().insert(tables.projects).values({ slug, name: 'Birds' }))).toBe(
        'projects_slug',
      );
    },
  );

  it.each(['a', 'birds-2', 'a'.repeat(63)])('of projects in addresses may be "%s"', async (slug) => {
    await db().insert(tables.projects).values({ slug, name: 'Birds' });
  });

  it('of people are e-mail addresses in small letters, each once', async () => {
    const user = (email: string) => db().insert(tables.users).values({ name: 'Ada', email });
    expect(await refusal(user('Ada@example.org'))).toBe('users_email_is_lower_case');
    await user('ada@example.org');
    expect(await refusal(user('ada@example.org'))).toBe('users_email');
  });

  it('of blobs are their hashes', async () => {
    const blob = db().insert(tables.blobs).values({ sha256: 'xyz', bytes: 1, mediaType: 'image/png' });
    expect(await refusal(blob)).toBe('blobs_sha256');
  });
});

describe('an invitation', () => {
  const invite = (row: Partial<typeof tables.invitations.$inferInsert>) =>
    db()
      .insert(tables.invitations)
      .values({ tokenHash: newId(), expiresAt: later(), ...row });

  it('has no more guests than seats', async () => {
    expect(await refusal(invite({ seats: 1, used: 2 }))).toBe('invitations_seats');
    expect(await refusal(invite({ seats: 0 }))).toBe('invitations_seats');
    await invite({ seats: 2, used: 2 });
  });

  it('gives only roles that there are', async () => {
    expect(await refusal(invite({ roles: ['owner'] }))).toBe('invitations_roles');
  });
});

describe('a job', () => {
  const job = (row: Partial<typeof tables.jobs.$inferInsert>) =>
    db()
      .insert(tables.jobs)
      .values({ kind: 'test', title: 'Test', ...row });

  it('says why it failed', async () => {
    expect(await refusal(job({ state: 'failed', finishedAt: new Date() }))).toBe('jobs_error');
  });

  it('has an end exactly when it has ended', async () => {
    expect(await refusal(job({ state: 'done' }))).toBe('jobs_finished');
    expect(await refusal(job({ state: 'running', finishedAt: new Date() }))).toBe('jobs_finished');
  });
});
