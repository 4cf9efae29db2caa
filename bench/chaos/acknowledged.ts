import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '@/db';
import type { Floor } from '@/lib/demo/simulation/http/floor';
import { countRepeats } from '@/lib/demo/simulation/http/report';
import type { Outcome } from '@/lib/services/invariants/check-rules';
import type { Received } from './curator';

/** Compares what the server said it has with what it has. */
export async function checkAcknowledged(db: Database, floor: Floor, received: Received): Promise<Outcome[]> {
  const { done, handedIn } = floor;
  const list = (values: readonly unknown[]) => sql.param(values);
  return [
    await outcome(
      db,
      'no answer lost',
      `${done.length} answers that the server took are there`,
      sql`
      select said.id from unnest(${list(done.map((each) => each.answerId))}::uuid[],
        ${list(done.map((each) => each.leaseId))}::uuid[]) as said(id, lease)
      where not exists (select 1 from answers a where a.id = said.id and a.lease_id = said.lease)`,
    ),
    await outcome(
      db,
      'no pay lost',
      `${handedIn.length} batches bring what the server said`,
      sql`
      select said.id from unnest(${list(handedIn.map((each) => each.batchId))}::uuid[],
        ${list(handedIn.map((each) => String(each.amountMicro)))}::bigint[]) as said(id, amount)
      join batches b on b.id = said.id
      where b.state = 'leased' or said.amount <> coalesce((
        select sum(e.amount_micro) from ledger e where e.kind in ('batch', 'exam') and e.source_id = said.id), 0)`,
    ),
    await outcome(
      db,
      'no file lost',
      `${received.files.length} files that were sent became pictures`,
      sql`
      select said.id from unnest(${list(received.files)}::uuid[]) as said(id)
      left join upload_files f on f.id = said.id
      left join uploads u on u.id = f.upload_id
      where f.id is null or (u.state = 'done' and f.state not in ('accepted', 'duplicate'))`,
    ),
    await outcome(
      db,
      'no job lost',
      `${received.jobs.length} jobs that were started are done`,
      sql`
      select said.id from unnest(${list(received.jobs)}::uuid[]) as said(id)
      left join jobs j on j.id = said.id where j.state is distinct from 'done'`,
    ),
    {
      name: 'no item twice',
      says: 'no worker saw an item a second time after answering it',
      violations: countRepeats(done),
      examples: [],
    },
  ];
}

async function outcome(db: Database, name: string, says: string, offenders: SQL): Promise<Outcome> {
  const { rows } = await db.execute<{ id: string }>(offenders);
  return { name, says, violations: rows.length, examples: rows.slice(0, 3).map(({ id }) => id) };
}
