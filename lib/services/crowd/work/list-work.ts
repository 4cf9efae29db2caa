import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import type { Policy } from '@/lib/core/quality/policy';
import { requireScope, type UserActor } from '@/lib/services/access';
import { examSettings } from '../exams/exam-settings';
import { type PricedStage, type StageTerms, termsOf } from '../worker/terms';
import { effectivePolicy } from './effective-policy';
import { canPractiseHint, type Gate, gateTo } from './gate';
import type { TakenBatch } from './take-batch';
import { type WorkerFacts, workerFacts } from './worker-facts';

const { batches, items } = tables;

/**
 * How much work is left, roughly. An exact number would fall by the ordinary items of a batch and so tell how many
 * of its items are checks.
 */
export const supplies = ['none', 'few', 'some', 'many'] as const;
export type Supply = (typeof supplies)[number];

const SOME_ITEMS = 100;
const MANY_ITEMS = 1000;

/** What was written about a decision, and the rule that wrote it; null for a curator. */
export interface Reason {
  text: string;
  rule: string | null;
}

export interface WorkOffer {
  project: { id: string; name: string; slug: string };
  stage: { id: string; name: string; kind: WorkerFacts['stageKind'] };
  /** What stands between the worker and a batch of work; null when nothing does. */
  gate: (Gate & { decisionId: string | null; reason: Reason | null }) | null;
  /** The newest message about the quality of the worker's work, if it is a hint. */
  hint: string | null;
  /** The rule behind the hint, and whether a round of practice about it is on offer. */
  hintRule: string | null;
  canPractiseHint: boolean;
  openBatch: TakenBatch | null;
  /** How much work somebody could take now. */
  supply: Supply;
  /** Price, duration and hourly rate; null where the policy is broken. */
  terms: StageTerms | null;
  /** Null in a stage without an exam. */
  exam: {
    passed: boolean;
    attemptsLeft: number;
    waitUntil: Date | null;
    attempts: number;
    /** Whether a practice round is on offer. */
    hasPractice: boolean;
    /** Whether there is a practice round before the exam, and whether it is done. */
    practice: 'none' | 'open' | 'done';
  } | null;
}

/** What can I do now? Every stage of every project that the worker belongs to and that collects. */
export async function listWork(db: Db, actor: UserActor): Promise<WorkOffer[]> {
  requireScope(actor, 'work.read');
  const all = await workerFacts(db, actor.userId, sql`p.state = 'collecting' and s.state = 'open'`);
  const ids = all.map((facts) => facts.stageId);
  const waiting = await countWaiting(db, ids);
  const open = await openBatches(db, actor.userId, ids);
  const now = new Date();
  const terms = await termsOf(db, actor.userId, all.flatMap(pricedStage));
  return all.map((facts) => ({
    project: { id: facts.projectId, name: facts.projectName, slug: facts.projectSlug },
    stage: { id: facts.stageId, name: facts.stageName, kind: facts.stageKind },
    ...offerOf(facts, now),
    hint: facts.hint,
    hintRule: facts.hintRule,
    openBatch: open.get(facts.stageId) ?? null,
    supply: supplyOf(waiting.get(facts.stageId) ?? 0),
    terms: terms.get(facts.stageId) ?? null,
  }));
}

function pricedStage({
  projectId,
  stageId,
  stageKind,
  projectPolicy,
  stagePolicy,
}: WorkerFacts): PricedStage[] {
  try {
    return [{ id: stageId, projectId, kind: stageKind, policy: effectivePolicy(projectPolicy, stagePolicy) }];
  } catch {
    return [];
  }
}

/** A project whose policy is broken is told as such, and does not hide the others. */
function offerOf(facts: WorkerFacts, now: Date): Pick<WorkOffer, 'gate' | 'exam' | 'canPractiseHint'> {
  try {
    const policy = effectivePolicy(facts.projectPolicy, facts.stagePolicy);
    const gate = gateTo('work', facts, policy, now);
    return {
      gate: gate && {
        ...gate,
        decisionId: facts.standing === 'active' ? null : facts.decisionId,
        reason: facts.reason === null ? null : { text: facts.reason, rule: facts.reasonRule },
      },
      canPractiseHint: gate === null && canPractiseHint(facts, policy),
      exam: examOf(facts, policy, gate),
    };
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    const gate = { gate: 'closed', code: 'brokenPolicy', says: error.message } as const;
    return { gate: { ...gate, decisionId: null, reason: null }, canPractiseHint: false, exam: null };
  }
}

function examOf(facts: WorkerFacts, policy: Policy, gate: Gate | null): WorkOffer['exam'] {
  const settings = examSettings(policy, facts.stageKind);
  if (!settings?.isRequired) return null;
  return {
    passed: facts.examPassed,
    attemptsLeft: Math.max(0, settings.attempts - facts.attempts),
    waitUntil: gate?.gate === 'exam-wait' ? (gate.until ?? null) : null,
    attempts: facts.attempts,
    hasPractice: settings.practice > 0 && !facts.practised && !facts.examPassed,
    practice: settings.practice === 0 ? 'none' : facts.practised ? 'done' : 'open',
  };
}

function supplyOf(items: number): Supply {
  if (items === 0) return 'none';
  if (items < SOME_ITEMS) return 'few';
  return items < MANY_ITEMS ? 'some' : 'many';
}

async function countWaiting(db: Db, stageIds: readonly string[]): Promise<Map<string, number>> {
  const found = await db.execute<{ id: string; waiting: number }>(sql`
    select s.id, few.waiting from unnest(${sql.param(stageIds)}::uuid[]) as s(id)
    cross join lateral (
      select count(*)::int as waiting from (
        select 1 from ${items} i where i.stage_id = s.id and i.state = 'open' and i.leased + i.answered < i.overlap
        limit ${MANY_ITEMS}) as listed) few`);
  return new Map(found.rows.map((row) => [row.id, row.waiting]));
}

async function openBatches(
  db: Db,
  workerId: string,
  stageIds: readonly string[],
): Promise<Map<string, TakenBatch>> {
  const found = await db
    .select({
      stageId: batches.stageId,
      id: batches.id,
      leasedUntil: batches.leasedUntil,
      kind: batches.kind,
    })
    .from(batches)
    .where(
      sql`${batches.workerId} = ${workerId} and ${batches.state} = 'leased'
        and ${batches.stageId} = any (${sql.param(stageIds)}::uuid[])`,
    );
  return new Map(found.map(({ stageId, ...batch }) => [stageId, batch]));
}
