import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { tables } from '@/db';
import { keepOwnKeys, ownKeys } from '@/lib/services/accounts';
import { useDatabase } from '../../support/database';
import { insertUser } from '../../support/rows';

const db = useDatabase();
const { users } = tables;

it('keeps the keys of a person with their account, and no one else has them', async () => {
  const [wanda, zoe] = [await insertUser(db(), 'Wanda'), await insertUser(db(), 'Zoe')];
  await keepOwnKeys(db(), wanda, { 'tool-brush': ['N'], undo: ['Mod+U'] });
  expect(await ownKeys(db(), wanda)).toEqual({ 'tool-brush': ['N'], undo: ['Mod+U'] });
  expect(await ownKeys(db(), zoe)).toEqual({});
  await keepOwnKeys(db(), wanda, {});
  expect(await ownKeys(db(), wanda)).toEqual({});
});

it('leaves other preferences alone, and takes what it cannot read for the usual keys', async () => {
  const wanda = await insertUser(db());
  await db()
    .update(users)
    .set({ preferences: { theme: 'dark', keys: 'broken' } })
    .where(eq(users.id, wanda));
  expect(await ownKeys(db(), wanda)).toEqual({});
  await keepOwnKeys(db(), wanda, { undo: ['Mod+U'] });
  const [row] = await db().select().from(users).where(eq(users.id, wanda));
  expect(row?.preferences).toEqual({ theme: 'dark', keys: { undo: ['Mod+U'] } });
});
