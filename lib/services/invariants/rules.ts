import { type SQL, sql } from 'drizzle-orm';
import { isSetAside } from '@/lib/services/crowd/work/is-set-aside';

/** An invariant of the committed rows. */
export interface Rule {
  name: string;
  statement: string;
  /** Selects the `id` of violations; no rows if the invariant is satisfied. */
  offenders: SQL;
}

const isCheck = sql`exists (select 1 from checks c where c.lease_id = l.id)`;

/** Each invariant is one statement that reads whole tables: for occasional checks, not for requests. */
export const rules: readonly Rule[] = [
  {
    name: 'answers have leases',
    statement:
      'a lease is answered exactly when there is an answer to it, by the same worker about the same item',
    offenders: sql`
      select coalesce(l.id, a.lease_id) as id from leases l full join answers a on a.lease_id = l.id
      where coalesce(l.state in ('answered', 'late'), false) <> (a.id is not null)
        or (a.id is not null and (a.worker_id <> l.worker_id or a.item_id <> l.item_id))`,
  },
  {
    name: 'no answer twice',
    statement: 'nobody was given an item twice, and no lease has two answers',
    offenders: sql`
      select min(l.id::text) as id from leases l group by l.item_id, l.worker_id having count(*) > 1
      union all
      select min(a.id::text) from answers a group by a.lease_id having count(*) > 1`,
  },
  {
    name: 'leases are counted',
    statement: 'the leased count of an item equals its leases and reservations in open batches',
    offenders: sql`
      select i.id from items i
      left join (
        select l.item_id, count(*) as held from leases l join batches b on b.id = l.batch_id
        where b.state = 'leased' and l.state in ('open', 'answered') and not l.is_extra
        group by l.item_id
      ) now on now.item_id = i.id
      left join (select item_id, count(*) as held from reservations group by item_id) r on r.item_id = i.id
      where i.leased <> coalesce(now.held, 0) + coalesce(r.held, 0)`,
  },
  {
    name: 'reservations end with their batch',
    statement: 'only batches in hand hold reservations, and checks are never counted in their items',
    offenders: sql`
      select r.item_id as id from reservations r join batches b on b.id = r.batch_id where b.state <> 'leased'
      union all
      select l.id from leases l where ${isCheck} and not l.is_extra`,
  },
  {
    name: 'answers are counted',
    statement: 'an item counts as answered the answers of closed batches that were not set aside',
    offenders: sql`
      select i.id from items i
      join (
        select a.item_id, count(*) filter (where not ${isSetAside}) as given
        from answers a join leases l on l.id = a.lease_id join batches b on b.id = l.batch_id
        where b.state <> 'leased' and l.state = 'answered' and not ${isCheck}
        group by a.item_id
      ) now on now.item_id = i.id
      where i.answered <> now.given`,
  },
  {
    name: 'no item too often',
    statement: 'an open item is not out or answered more often than it is wanted',
    offenders: sql`select i.id from items i where i.state = 'open' and i.leased + i.answered > i.overlap`,
  },
  {
    name: 'no orphan leases',
    statement: 'a lease is open in a batch that is in hand only, and a batch in hand has leases',
    offenders: sql`
      select l.id from leases l join batches b on b.id = l.batch_id where l.state = 'open' and b.state <> 'leased'
      union all
      select b.id from batches b
      where b.state = 'leased' and not exists (select 1 from leases l where l.batch_id = b.id)`,
  },
  {
    name: 'settled items have labels',
    statement: 'what is settled by answers has a label',
    offenders: sql`
      select i.id from items i join stages s on s.id = i.stage_id and s.kind <> 'oracle'
      where i.state = 'settled' and i.answered > 0
        and not exists (select 1 from labels b where b.item_id = i.id)`,
  },
  {
    name: 'one current label',
    statement: 'an item has at most one current label',
    offenders: sql`
      select min(b.id::text) as id from labels b where b.is_current group by b.item_id having count(*) > 1`,
  },
  {
    name: 'finished work is paid',
    statement:
      'a closed batch, exam or refresher with answers is either in the ledger once or in review; an empty one is in neither',
    offenders: sql`
      select b.id from batches b
      left join (
        select l.batch_id, count(*) as finished from leases l join answers a on a.lease_id = l.id
        where not a.is_late and not exists (select 1 from ledger e where e.kind = 'item' and e.source_id = a.id)
        group by l.batch_id
      ) did on did.batch_id = b.id
      left join (
        select source_id, count(*) as times from (
          select e.source_id from ledger e where e.kind in ('batch', 'exam')
          union all
          select r.batch_id from pay_reviews r where r.state <> 'approved' and r.kind <> 'item') settled
        group by source_id
      ) paid on paid.source_id = b.id
      where coalesce(paid.times, 0) <>
        case when b.state <> 'leased' and (b.kind <> 'practice' or b.pay ? 'paysPractice')
          and coalesce(did.finished, 0) > 0 then 1 else 0 end`,
  },
  {
    name: 'pay has a source',
    statement: 'what the ledger pays for is there, and belongs to the worker who is paid',
    offenders: sql`
      select e.id from ledger e
      -- Late answers that were reviewed are paid together, by their batch.
      left join batches b on b.id = e.source_id and e.kind in ('batch', 'exam', 'item')
      left join answers a on a.id = e.source_id and e.kind = 'item'
      where e.kind in ('batch', 'exam', 'item') and coalesce(b.worker_id, a.worker_id) is distinct from e.worker_id`,
  },
  {
    name: 'payouts are in the ledger',
    statement: 'a line of a paid list is one payment of the same amount, and every payment has its line',
    offenders: sql`
      select coalesce(line.id, e.id) as id
      from (select line.* from payout_lines line join payouts p on p.id = line.payout_id and p.state = 'paid') line
      full join (select * from ledger where kind = 'payment') e on e.source_id = line.id
      where line.id is null or e.id is null or e.amount_micro <> -line.amount_micro
        or e.worker_id <> line.worker_id or e.currency <> line.currency`,
  },
  {
    name: 'consent was read in a stored text',
    statement: 'the translations that a consent was read in are stored, of the same project, in its language',
    offenders: sql`
      select c.id from consents c
      where exists (
        select 1 from unnest(c.translation_ids) as shown(id)
        left join text_translations t on t.id = shown.id
        where t.project_id is distinct from c.project_id or t.locale <> c.language or t.text = ''
          or t.key not like 'consent/%')`,
  },
  {
    name: 'payee details have a worker',
    statement: 'payee details are encrypted, and of somebody who is or was a worker of the project',
    offenders: sql`
      select y.worker_id as id from payees y
      where y.sealed !~ '^v1[.][A-Za-z0-9_-]{40,}$' or not (
        exists (select 1 from memberships m
          where m.project_id = y.project_id and m.user_id = y.worker_id and m.role = 'worker')
        or exists (select 1 from removed_workers r
          where r.project_id = y.project_id and r.user_id = y.worker_id))`,
  },
  {
    name: 'jobs are in the queue',
    statement: 'a job that waits or runs is known to the queue',
    offenders: sql`
      select j.id from jobs j left join pgboss.job q on q.name = j.kind and q.id = j.id
      where j.state in ('queued', 'running', 'retrying') and j.updated_at < now() - interval '1 minute'
        and (q.id is null or q.state in ('completed', 'failed'))`,
  },
];
