import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind, standingStates } from '@/db/schema';
import type { ProjectState } from '@/lib/auth';

const {
  batches,
  consents,
  consentTexts,
  decisions,
  exams,
  jobs,
  leases,
  memberships,
  projects,
  stages,
  standings,
} = tables;

/** What decides whether a worker gets work of a stage now. */
export type WorkerFacts = {
  projectId: string;
  projectName: string;
  projectSlug: string;
  projectState: ProjectState;
  projectPolicy: Record<string, unknown>;
  stageId: string;
  stageName: string;
  stageKind: StageKind;
  stageState: 'open' | 'paused' | 'closed';
  stagePolicy: Record<string, unknown>;
  /** The newest text of consent; null in a project that has none yet. */
  textId: string | null;
  /** Whether the newest text is what the worker's newest statement agrees to. */
  hasAgreed: boolean;
  standing: (typeof standingStates)[number];
  since: Date | null;
  /** Why the worker stands so. */
  reason: string | null;
  decisionId: string | null;
  examPassed: boolean;
  attempts: number;
  lastExam: Date | null;
  practised: boolean;
  /** Items of work answered in the stage: ever, and in batches begun within the last 24 hours. */
  doneInAll: number;
  doneToday: number;
  /** A new version of the schema is being applied: items and gold are not in the same words until that is done. */
  isChanging: boolean;
};

/** The facts of every stage that `which` holds for (of `stages s`), in the order in which people read them. */
export async function workerFacts(db: Db, workerId: string, which: SQL): Promise<WorkerFacts[]> {
  const found = await db.execute<WorkerFacts & { lastExam: string | null; since: string | null }>(sql`
    select p.id as "projectId", p.name as "projectName", p.slug as "projectSlug", p.state as "projectState",
      p.policy as "projectPolicy", s.id as "stageId", s.name as "stageName", s.kind as "stageKind",
      s.state as "stageState", s.policy as "stagePolicy", newest.id as "textId",
      coalesce(said.kind = 'agreed' and said.consent_text_id = newest.id, false) as "hasAgreed",
      coalesce(st.state, 'active') as standing, st.since, d.reason, st.decision_id as "decisionId",
      coalesce(sat.passed, false) as "examPassed", sat.attempts, sat.finished as "lastExam",
      exists (select 1 from ${batches} b where b.worker_id = m.user_id and b.stage_id = s.id
        and b.kind = 'practice' and b.state = 'submitted') as practised,
      done.in_all as "doneInAll", done.today as "doneToday",
      exists (select 1 from ${jobs} j where j.project_id = p.id and j.kind = 'change-schema'
        and j.state in ('queued', 'running', 'retrying')) as "isChanging"
    from ${stages} s
    join ${projects} p on p.id = s.project_id
    join ${memberships} m on m.project_id = p.id and m.user_id = ${workerId} and m.role = 'worker'
    left join lateral (
      select id from ${consentTexts} where project_id = p.id order by number desc limit 1) newest on true
    left join lateral (
      select kind, consent_text_id from ${consents} where worker_id = m.user_id and project_id = p.id
      order by id desc limit 1) said on true
    left join ${standings} st on st.stage_id = s.id and st.worker_id = m.user_id
    left join ${decisions} d on d.id = st.decision_id
    cross join lateral (
      select bool_or(passed) as passed, count(*)::int as attempts, max(finished_at) as finished
      from ${exams} where worker_id = m.user_id and stage_id = s.id) sat
    cross join lateral (
      select count(*)::int as in_all,
        (count(*) filter (where b.created_at > now() - interval '1 day'))::int as today
      from ${batches} b join ${leases} l on l.batch_id = b.id and l.state = 'answered'
      where b.worker_id = m.user_id and b.stage_id = s.id and b.kind = 'work') done
    where ${which}
    order by p.name, p.id, s.position, s.id`);
  return found.rows.map((row) => ({ ...row, lastExam: dateOf(row.lastExam), since: dateOf(row.since) }));
}

const dateOf = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
