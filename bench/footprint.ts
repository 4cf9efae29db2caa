/**
 * What a unit of work takes in PostgreSQL and in the store: bytes of the tables with their indexes and their values kept
 * aside, divided by rows, on the database of this TESSERA_HOME. Run it after `bench:load`, or on an instance in use: in
 * tables of a few hundred rows the pages that are not full yet count for more than the rows.
 *
 *   npm run bench:footprint -- [--json]
 */
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { enterDatabase } from '@/bin/database/enter';

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

/** What comes with each unit, and the table whose rows are counted. */
const units: Record<string, { per: string; tables: string[] }> = {
  'a picture, with its items': { per: 'images', tables: ['images', 'blobs', 'derivatives', 'items'] },
  'an answer, with lease, batch, draft and pay': {
    per: 'answers',
    tables: ['answers', 'leases', 'batches', 'drafts', 'ledger'],
  },
  'a label, with its risk and what decided it': {
    per: 'labels',
    tables: ['labels', 'label_risks', 'decisions'],
  },
  'a worker, with account, sessions and consent': {
    per: 'users',
    tables: ['users', 'accounts', 'sessions', 'memberships', 'consents', 'standings'],
  },
  'a job, with its log': { per: 'jobs', tables: ['jobs', 'job_logs'] },
};

await using entered = await enterDatabase();
const { db } = entered;
// Counts as they are now; the sizes are of the files.
await db.execute(sql`analyze`);
const { rows: sizes } = await db.execute<{ name: string; rows: number; bytes: number; indexes: number }>(sql`
  select relname as name, n_live_tup::int as rows, pg_total_relation_size(relid)::float as bytes,
    pg_indexes_size(relid)::float as indexes
  from pg_stat_user_tables where schemaname = 'public' and n_live_tup > 0 order by bytes desc`);
const { rows: stored } = await db.execute<{ kind: string; n: number; bytes: number }>(sql`
  select media_type as kind, count(*)::int as n, avg(bytes)::float as bytes
  from blobs where bytes > 1000 group by media_type order by n desc`);

const table = (name: string) => sizes.find((row) => row.name === name);
const per = Object.entries(units).flatMap(([name, unit]) => {
  const rows = table(unit.per)?.rows ?? 0;
  if (rows === 0) return [];
  const bytes = unit.tables.reduce((sum, each) => sum + (table(each)?.bytes ?? 0), 0);
  return [{ unit: name, rows, bytes: Math.round(bytes / rows) }];
});
const report = {
  per,
  tables: sizes.map((row) => ({ ...row, bytesPerRow: Math.round(row.bytes / row.rows) })),
  blobs: stored.map((row) => ({ ...row, bytes: Math.round(row.bytes) })),
};

const lines = (head: string[], body: (string | number)[][]) =>
  [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

console.log(
  options.json
    ? JSON.stringify(report, null, 2)
    : [
        lines(
          ['unit', 'counted', 'bytes each'],
          per.map((row) => [row.unit, row.rows, row.bytes]),
        ),
        lines(
          ['table', 'rows', 'bytes a row', 'of that indexes'],
          report.tables
            .filter(({ rows }) => rows >= 100)
            .map((row) => [row.name, row.rows, row.bytesPerRow, Math.round(row.indexes / row.rows)]),
        ),
        lines(
          ['files of type', 'files', 'bytes each'],
          report.blobs.map((row) => [row.kind, row.n, row.bytes]),
        ),
      ].join('\n\n'),
);
