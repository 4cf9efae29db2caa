import type pg from 'pg';

interface Reference {
  table: string;
  name: string;
  definition: string;
}

/**
 * Empties the tables and takes references and triggers off, so that rows can come in any order. The function it
 * gives puts them back, which checks every reference: a backup with a hole in it is refused there.
 */
export async function loosenTables(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  const { rows: references } = await client.query<Reference>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`,
  );
  for (const { name } of tables) await client.query(`alter table ${name} disable trigger user`);
  // Steps may have put rows in; those of the backup are all that there were.
  if (tables.length > 0) await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  for (const { table, name } of references)
    await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const { table, name, definition } of references)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const { name } of tables) await client.query(`alter table ${name} enable trigger user`);
  };
}
