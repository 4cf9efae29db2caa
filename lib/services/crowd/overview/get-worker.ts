import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { RecruiterId } from '@/db/schema';
import { notFound } from '@/lib/core/errors';
import { asDate } from './worker-stages';

const { arrivals, batches, consents, consentTexts, ledger, memberships, recruitments, users } = tables;

export interface WorkerPerson {
  id: string;
  name: string;
  cohort: string | null;
  isMember: boolean;
  joinedAt: Date | null;
  /** Where they came from; null for somebody with an invitation of ours. */
  recruiter: RecruiterId | null;
  /** The newest; `language` is the one in which they read the text. */
  consent: { kind: 'agreed' | 'withdrawn'; number: number; language: string; at: Date } | null;
  earnedMicro: bigint;
  paidMicro: bigint;
  currency: string | null;
}

type Raw = Omit<WorkerPerson, 'joinedAt' | 'consent' | 'earnedMicro' | 'paidMicro'> & {
  joinedAt: string | null;
  consent: { kind: 'agreed' | 'withdrawn'; number: number; language: string; at: string } | null;
  earnedMicro: string;
  paidMicro: string;
};

/** Somebody who works or has worked in the project; others do not exist here. */
export async function getWorker(db: Db, projectId: string, workerId: string): Promise<WorkerPerson> {
  const result = await db.execute<Raw>(sql`
    select u.id, u.name, m.cohort, m.user_id is not null as "isMember", m.created_at as "joinedAt",
      (select r.recruiter from ${arrivals} a join ${recruitments} r on r.id = a.recruitment_id
        where a.worker_id = u.id and a.project_id = ${projectId} order by a.id desc limit 1) as recruiter,
      (select jsonb_build_object('kind', c.kind, 'number', t.number, 'language', c.language, 'at', c.created_at)
        from ${consents} c join ${consentTexts} t on t.id = c.consent_text_id
        where c.worker_id = u.id and c.project_id = ${projectId} order by c.id desc limit 1) as consent,
      money.earned as "earnedMicro", money.paid as "paidMicro", money.currency
    from ${users} u
    left join ${memberships} m on m.project_id = ${projectId} and m.user_id = u.id and m.role = 'worker'
    cross join lateral (
      select coalesce(sum(amount_micro) filter (where kind <> 'payment'), 0)::text as earned,
        coalesce(-sum(amount_micro) filter (where kind = 'payment'), 0)::text as paid, max(currency) as currency
      from ${ledger} where worker_id = u.id and project_id = ${projectId}) money
    where u.id = ${workerId} and (m.user_id is not null
      or exists (select 1 from ${batches} b where b.worker_id = u.id and b.project_id = ${projectId}))`);
  const [row] = result.rows;
  if (!row) throw notFound('worker');
  return {
    ...row,
    joinedAt: asDate(row.joinedAt),
    consent: row.consent && { ...row.consent, at: new Date(row.consent.at) },
    earnedMicro: BigInt(row.earnedMicro),
    paidMicro: BigInt(row.paidMicro),
  };
}
