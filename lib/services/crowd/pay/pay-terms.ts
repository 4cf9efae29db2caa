import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { RecruiterId } from '@/db/schema';
import { effectivePolicy } from '../work/effective-policy';

const { arrivals, memberships, projects, recruitments } = tables;

/** How and when a project pays a worker. */
export interface PayTerms {
  project: { id: string; name: string; slug: string };
  /** The marketplace through which the money comes; `pool`: the people of the project pay. */
  recruiter: RecruiterId;
  /** What the curator wrote about it; empty if nothing. */
  terms: string;
}

type Row = {
  id: string;
  name: string;
  slug: string;
  policy: Record<string, unknown>;
  recruiter: RecruiterId | null;
};

/** Lists the projects of a worker with the way in which each one pays. */
export async function payTermsOf(db: Db, workerId: string): Promise<PayTerms[]> {
  const found = await db.execute<Row>(sql`
    select p.id, p.name, p.slug, p.policy, (
      select r.recruiter from ${arrivals} a join ${recruitments} r on r.id = a.recruitment_id
      where a.worker_id = m.user_id and a.project_id = p.id order by a.id desc limit 1) as recruiter
    from ${memberships} m join ${projects} p on p.id = m.project_id
    where m.user_id = ${workerId} and m.role = 'worker' order by p.name, p.id`);
  return found.rows.map(({ policy, recruiter, ...project }) => ({
    project,
    recruiter: recruiter ?? 'pool',
    terms: termsIn(policy),
  }));
}

function termsIn(policy: Record<string, unknown>): string {
  try {
    return effectivePolicy(policy, {}).pay.terms;
  } catch {
    return '';
  }
}
