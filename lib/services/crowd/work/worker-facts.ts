import { type SQL, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind, standingStates } from '@/db/schema';
import type { ProjectState } from '@/lib/services/access';

const {
  batches,
  checks,
  consents,
  consentTexts,
  decisions,
  exams,
  items,
  jobs,
  leases,
  ledger,
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
  /** The rule that decided so; null for a curator. */
  reasonRule: string | null;
  decisionId: string | null;
  /** The part or attribute that a refresher is about; null for all. */
  refresherTarget: string | null;
  /** Parts that the worker does not receive. */
  pausedTargets: string[];
  examPassed: boolean;
  attempts: number;
  lastExam: Date | null;
  practised: boolean;
  /** Items of work answered in the stage: ever, and in batches begun within the last 24 hours. */
  doneInAll: number;
  doneToday: number;
  /** In the last 24 hours: batches returned, and batches submitted without an answer. */
  returnedToday: number;
  emptyToday: number;
  /** Gold images met as hidden checks. */
  checksMet: number;
  /** Earned in the project so far, in millionths: by the worker, and by their cohort where the policy limits that. */
  earnedMicro: bigint;
  cohortEarnedMicro: bigint;
  /** The newest decision about the worker in the stage, if it is a hint. */
  hint: string | null;
  /** The rule that decided so, and the part or attribute that the hint is about. */
  hintRule: string | null;
  hintTarget: string | null;
  practisedSinceHint: boolean;
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
      coalesce(st.state, 'active') as standing, st.since, d.reason, d.rule as "reasonRule", st.decision_id as "decisionId",
      case when st.state = 'refresher' then d.target end as "refresherTarget",
      coalesce(st.paused_targets, '{}') as "pausedTargets",
      coalesce(sat.passed, false) as "examPassed", sat.attempts, sat.finished as "lastExam",
      exists (select 1 from ${batches} b where b.worker_id = m.user_id and b.stage_id = s.id
        and b.kind = 'practice' and b.state <> 'leased' and (b.state = 'submitted' or exists (
          select 1 from ${leases} l where l.batch_id = b.id and l.state = 'answered'))) as practised,
      done.in_all as "doneInAll", done.today as "doneToday",
      ended.returned as "returnedToday", ended.empty as "emptyToday", met.n as "checksMet",
      own.micro as "earnedMicro", cohort.micro as "cohortEarnedMicro",
      case when last.verdict = 'hint' then last.reason end as hint,
      case when last.verdict = 'hint' then last.rule end as "hintRule",
      case when last.verdict = 'hint' then last.target end as "hintTarget",
      last.verdict = 'hint' and exists (select 1 from ${batches} b where b.worker_id = m.user_id
        and b.stage_id = s.id and b.kind = 'practice' and b.created_at > last.created_at) as "practisedSinceHint",
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
      from ${batches} b join ${leases} l on l.batch_id = b.id and l.state in ('answered', 'late')
      where b.worker_id = m.user_id and b.stage_id = s.id and b.kind = 'work') done
    cross join lateral (
      select (count(*) filter (where b.state = 'returned'))::int as returned,
        (count(*) filter (where b.state = 'submitted' and not exists (
          select 1 from ${leases} l where l.batch_id = b.id and l.state in ('answered', 'late'))))::int as empty
      from ${batches} b where b.worker_id = m.user_id and b.stage_id = s.id and b.kind <> 'exam'
        and b.created_at > now() - interval '1 day') ended
    cross join lateral (
      select count(distinct i.image_id)::int as n
      from ${checks} c join ${leases} l on l.id = c.lease_id join ${batches} b on b.id = l.batch_id and b.kind = 'work'
      join ${items} i on i.id = l.item_id and i.stage_id = s.id
      where c.worker_id = m.user_id and ${isLimited('{gold,maxWorkerChecks}')}) met
    cross join lateral (
      select coalesce(sum(e.amount_micro), 0)::text as micro from ${ledger} e
      where e.worker_id = m.user_id and e.project_id = p.id and e.kind in ('batch', 'item', 'exam')
        and ${isLimited('{pay,maxPerWorker}')}) own
    cross join lateral (
      select coalesce(sum(e.amount_micro), 0)::text as micro
      from ${memberships} o
      join ${ledger} e on e.worker_id = o.user_id and e.project_id = p.id and e.kind in ('batch', 'item', 'exam')
      where o.project_id = p.id and o.role = 'worker' and o.cohort is not distinct from m.cohort
        and ${isLimited('{pay,maxPerCohort}')}) cohort
    left join lateral (
      select d.verdict, d.reason, d.rule, d.target, d.created_at from ${decisions} d
      where d.subject = 'worker' and d.subject_id = m.user_id and d.stage_id = s.id
      order by d.id desc limit 1) last on true
    where ${which}
    order by p.name, p.id, s.position, s.id`);
  return found.rows.map((row) => ({
    ...row,
    lastExam: dateOf(row.lastExam),
    since: dateOf(row.since),
    earnedMicro: BigInt(row.earnedMicro),
    cohortEarnedMicro: BigInt(row.cohortEarnedMicro),
  }));
}

/** The policy of the stage or of its project sets this limit: only then is it worth counting. */
const isLimited = (path: string) =>
  sql`coalesce(s.policy #>> ${path}::text[], p.policy #>> ${path}::text[]) is not null`;

const dateOf = (value: Date | string | null): Date | null => (value === null ? null : new Date(value));
