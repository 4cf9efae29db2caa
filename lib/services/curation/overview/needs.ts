import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { goldLeaks, goldUse } from '@/lib/services/crowd/overview/gold-use';

const { appeals, audits, consensusRuns, gold, items, jobs, payouts, payReviews, standings } = tables;

export const needKinds = [
  'appeals',
  'gold-leaking',
  'pay-reviews',
  'failed-jobs',
  'stages-without-gold',
  'gold-drifting',
  'workers-paused',
  'gold-candidates',
  'audits-open',
  'consensus-half-done',
  'payouts-unpaid',
  'stages-still',
] as const;

export interface Need {
  kind: (typeof needKinds)[number];
  count: number;
  /** Names of the stages, where it is about stages. */
  stages: string[];
}

type Counts = {
  appeals: number;
  failed: number;
  paused: number;
  candidates: number;
  audits: number;
  half: number;
  payouts: number;
  reviews: number;
  withGold: string[];
};

/** What a researcher can do something about; the rest is the curator's, and not even counted for others. */
export async function needsOfAll(db: Db, projectId: string): Promise<Need[]> {
  const failed = await db.$count(jobs, sql`${jobs.projectId} = ${projectId} and ${jobs.state} = 'failed'`);
  return failed > 0 ? [{ kind: 'failed-jobs', count: failed, stages: [] }] : [];
}

/** People wait before things do: the most pressing first. Three statements. */
export async function needsOf(
  db: Db,
  projectId: string,
  { stages, still }: { stages: readonly CrowdStage[]; still: readonly CrowdStage[] },
): Promise<Need[]> {
  const [found, used, leaks] = await Promise.all([
    countsOf(db, projectId),
    goldUse(db, projectId),
    goldLeaks(db, projectId),
  ]);
  const leaking = stages.filter(({ id }) => leaks.has(id));
  const withGold = new Set(found.withGold);
  const bare = stages.filter(
    (stage) => stage.state === 'open' && wantsGold(stage) && !withGold.has(stage.id),
  );
  const counts: Record<Need['kind'], { count: number; stages?: string[] }> = {
    appeals: { count: found.appeals },
    'gold-leaking': { count: leaking.length, stages: leaking.map(({ name }) => name) },
    'pay-reviews': { count: found.reviews },
    'failed-jobs': { count: found.failed },
    'stages-without-gold': { count: bare.length, stages: bare.map(({ name }) => name) },
    'gold-drifting': {
      count: used.filter(({ state, hasDrifted }) => state === 'active' && hasDrifted).length,
    },
    'workers-paused': { count: found.paused },
    'gold-candidates': { count: found.candidates },
    'audits-open': { count: found.audits },
    'consensus-half-done': { count: found.half },
    'payouts-unpaid': { count: found.payouts },
    'stages-still': { count: still.length, stages: still.map(({ name }) => name) },
  };
  return needKinds
    .map((kind) => ({ kind, count: counts[kind].count, stages: counts[kind].stages ?? [] }))
    .filter(({ count }) => count > 0);
}

const wantsGold = ({ kind, policy }: CrowdStage): boolean => {
  const exam = kind === 'attributes' ? policy.attributeExam : policy.maskExam;
  return kind !== 'oracle' && (policy.checkRate > 0 || exam.isRequired);
};

async function countsOf(db: Db, projectId: string): Promise<Counts> {
  const found = await db.execute<Counts>(sql`
    select
      (select count(*)::int from ${appeals} where project_id = ${projectId} and answered_at is null) as appeals,
      (select count(*)::int from ${jobs} where project_id = ${projectId} and state = 'failed') as failed,
      (select count(distinct worker_id)::int from ${standings}
        where project_id = ${projectId} and state = 'paused') as paused,
      (select count(*)::int from ${gold} where project_id = ${projectId} and state = 'candidate') as candidates,
      (select count(*)::int from ${audits} where project_id = ${projectId} and state = 'open') as audits,
      (select count(*)::int from ${consensusRuns} r join ${jobs} j on j.id = r.job_id
        where r.project_id = ${projectId} and r.state = 'building' and j.finished_at is not null) as half,
      (select count(*)::int from ${payouts} where project_id = ${projectId} and state = 'approved') as payouts,
      (select count(*)::int from ${payReviews} where project_id = ${projectId} and state = 'open') as reviews,
      array(select distinct i.stage_id from ${gold} g join ${items} i on i.id = g.item_id
        where g.project_id = ${projectId} and g.state = 'active') as "withGold"`);
  return found.rows[0] as Counts;
}
