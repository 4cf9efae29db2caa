import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { database, tables } from '@/db';
import { useDatabase } from '../support/database';

const db = useDatabase();

describe('the database of a test file', () => {
  it('has every table and no row', async () => {
    expect(await db().select().from(tables.projects)).toEqual([]);
    expect(await db().select().from(tables.ledger)).toEqual([]);
  });

  it('has the queue', async () => {
    const { rows } = await db().execute(sql`select count(*)::int as n from pgboss.job`);
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('is the one that the product finds in its environment', async () => {
    await db().insert(tables.settings).values({ key: 'colour', value: 'blue' });
    expect(await database().select().from(tables.settings)).toHaveLength(1);
  });
});
