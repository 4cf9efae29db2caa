import { eq, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId, tables } from '@/db';
import { useDatabase } from '../support/database';
import { insertItem, insertLease, insertProject, insertUser } from '../support/rows';
import { refusal } from './refusal';

const db = useDatabase();
let rows: Awaited<ReturnType<typeof writeEvidence>>;

async function writeEvidence() {
  const workerId = await insertUser(db());
  const curatorId = await insertUser(db(), 'Carla');
  const project = await insertProject(db());
  const item = await insertItem(db(), project);
  const { leaseId } = await insertLease(db(), project, { itemId: item.itemId, workerId });
  const { projectId } = project;
  const answerId = newId();
  const labelId = newId();
  await db()
    .insert(tables.answers)
    .values({ id: answerId, leaseId, itemId: item.itemId, workerId, value: {}, activeMs: 10 });
  await db()
    .insert(tables.ledger)
    .values({ projectId, workerId, kind: 'item', sourceId: answerId, amountMicro: 5n, currency: 'USD' });
  await db().insert(tables.auditLog).values({ actor: 'tests', verb: 'test', subject: 'item', projectId });
  await db().insert(tables.decisions).values({
    projectId,
    subject: 'answer',
    subjectId: answerId,
    verdict: 'accepted',
    reason: 'It is right.',
    decidedBy: curatorId,
  });
  await db().insert(tables.labels).values({
    id: labelId,
    projectId,
    itemId: item.itemId,
    imageId: item.imageId,
    value: {},
    source: 'answer',
    provenance: {},
    confidence: 1,
  });
  await db().insert(tables.versions).values({
    projectId,
    number: 1,
    hash: 'h',
    schemaVersionId: project.schemaVersionId,
    manifest: item.blob,
    card: {},
  });
  await db()
    .insert(tables.textTranslations)
    .values({ projectId, locale: 'es', key: 'project/name', number: 1, source: 'Birds', text: 'Aves' });
  return { ...project, ...item, workerId, curatorId, answerId, labelId };
}

beforeAll(async () => {
  rows = await writeEvidence();
});

/** A change that each table would gladly take, were it not evidence. */
const changes = [
  ['answers', 'active_ms = 0'],
  ['ledger', 'amount_micro = 1000'],
  ['audit_log', `verb = 'nothing'`],
  ['decisions', `verdict = 'rejected'`],
  ['schema_versions', 'number = 2'],
  ['labels', 'confidence = 0.5'],
  ['versions', `hash = 'other'`],
  ['text_translations', `text = 'Pájaros'`],
] as const;

describe('evidence', () => {
  it.each(changes)('in %s is not changed', async (table, change) => {
    const statement = db().execute(sql.raw(`update ${table} set ${change}`));
    expect(await refusal(statement)).toContain('append-only');
  });

  it.each(changes)('in %s is not deleted', async (table) => {
    expect(await refusal(db().execute(sql.raw(`delete from ${table}`)))).toContain('append-only');
  });

  it('does not go with the project either, by accident', async () => {
    const statement = db().delete(tables.projects).where(eq(tables.projects.id, rows.projectId));
    expect(await refusal(statement)).toContain('append-only');
  });

  it('lets a label make way for a newer one', async () => {
    const { labelId } = rows;
    await db().update(tables.labels).set({ isCurrent: false }).where(eq(tables.labels.id, labelId));
    const [label] = await db().select().from(tables.labels).where(eq(tables.labels.id, labelId));
    expect(label?.isCurrent).toBe(false);
  });

  it('lets the description of a version be improved', async () => {
    await db().update(tables.versions).set({ description: 'The first one.' });
    const [version] = await db().select().from(tables.versions);
    expect(version?.description).toBe('The first one.');
  });

  it('forgets who decided when that person is deleted, and nothing else', async () => {
    await db().delete(tables.users).where(eq(tables.users.id, rows.curatorId));
    const [decision] = await db().select().from(tables.decisions);
    expect(decision).toMatchObject({ decidedBy: null, verdict: 'accepted', reason: 'It is right.' });
  });

  it('goes with its project when somebody says that this is meant', async () => {
    await db().transaction(async (tx) => {
      await tx.execute(sql`set local tessera.erase = 'on'`);
      await tx.update(tables.projects).set({ schemaVersionId: null });
      await tx.delete(tables.projects).where(eq(tables.projects.id, rows.projectId));
    });
    expect(await db().select().from(tables.answers)).toEqual([]);
    expect(await db().select().from(tables.ledger)).toEqual([]);
    expect(await db().select().from(tables.auditLog)).toHaveLength(1);
  });
});
