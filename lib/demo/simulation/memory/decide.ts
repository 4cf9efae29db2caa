import { confirms, explainConfirmation } from '@/lib/core/quality/confirmation';
import {
  barsOf,
  type PoolTimes,
  poolTimes,
  RECENT_ANSWERS,
  type WorkerHistory,
} from '@/lib/core/quality/history';
import { isStop, judgeBatch } from '@/lib/core/quality/judge';
import { askAgain, confirmWork, trustIn } from './labels';
import { CURATOR_MICRO_PER_SECOND, type Run, stageKinds } from './run';
import type { Answer, Career, Stage, Worker } from './stage';
import { attributeIds, PARTS } from './world';

const START = new Date(0);
/** As in `readHistory` and `takePractice`. */
const MIN_ON_GOLD = 5;
const POOL_BATCHES = 40;
const REFRESHER_ITEMS = 3;
/** The time of a curator to look at somebody who was stopped. */
const REVIEW_SECONDS = 300;

/** What production's `readHistory` gives the rules. */
export function historyOf(run: Run, stage: Stage, worker: Worker): WorkerHistory {
  const career = worker.careers[stage.kind];
  return {
    answers: career.answers.slice(-RECENT_ANSWERS),
    checks: career.checks.map((check) => ({ ...check, expected: expectedOn(stage, worker, check.goldId) })),
    actions: career.actions,
    batchEnds: career.batchEnds,
    state: 'active',
    since: START,
    bars: barsOf(run.arm.policy),
    stageCount: stageKinds.length,
    targetCount: stage.kind === 'attributes' ? attributeIds.length : PARTS,
    pool: poolOf(stage),
    // How answers are entered is not simulated here; see `npm run bench:agents`.
    browserSince: null,
  };
}

const pools = new WeakMap<Stage, { batches: number; pool: PoolTimes | null }>();
/** Production reads the times of everybody at the end of every batch. They change slowly. */
const REFRESH_EVERY = 10;

function poolOf(stage: Stage): PoolTimes | null {
  const known = pools.get(stage);
  if (known && stage.batches - known.batches < REFRESH_EVERY) return known.pool;
  const pool = poolTimes(stage.recentTimes.slice(-POOL_BATCHES).flat());
  pools.set(stage, { batches: stage.batches, pool });
  return pool;
}

/** Mean score of others in good standing; null while too few have met the gold. */
function expectedOn(stage: Stage, worker: Worker, goldId: string): number | null {
  const gold = stage.goldById.get(goldId);
  if (!gold) return null;
  const own = gold.levels.get(worker.person.id);
  const n = gold.levels.size - (own === undefined ? 0 : 1);
  return n >= MIN_ON_GOLD ? (gold.sum - (own ?? 0)) / n : null;
}

/** The rules look at a worker whose batch is over. */
export function decide(run: Run, stage: Stage, worker: Worker): void {
  const career = worker.careers[stage.kind];
  career.batchEnds.push(new Date(run.now));
  const history = historyOf(run, stage, worker);
  confirm(run, stage, worker, history);
  const step = judgeBatch(history, run.arm.rules, new Date(run.now));
  if (!step) return;
  const { judgement } = step;
  const { verdict, target, evidence, rule } = judgement;
  career.actions = step.after.actions;
  for (const id of evidence) career.named.add(id);
  if (verdict === 'refresher') payRefresher(run, stage, career);
  if (isStop(judgement)) stop(run, stage, worker, rule);
  else if (verdict === 'pause' && target !== null) pauseTarget(run, career, target);
}

/** As `decideAboutWorker`: all work with one answer is confirmed as soon as the worker is not relied on any more. */
function confirm(run: Run, stage: Stage, worker: Worker, history: WorkerHistory): void {
  const { policy, rules } = run.arm;
  if (!confirms(policy)) return;
  const career = worker.careers[stage.kind];
  const { accuracy } = trustIn(run, stage).of(career.scored);
  const before = career.needsConfirmation;
  const evidence = { stageKind: stage.kind, accuracy, history, rules };
  career.needsConfirmation = explainConfirmation(policy, evidence).isNeeded;
  if (career.needsConfirmation && !before) confirmWork(run, stage, career.work);
}

/** Three practice items, paid like work, which change nothing about how the person works. */
function payRefresher(run: Run, stage: Stage, career: Career): void {
  const { pay, batchSize } = run.arm.policy;
  const price = stage.kind === 'attributes' ? pay.attributeBatch / batchSize.attributes : pay.mask;
  run.costs.refreshers += REFRESHER_ITEMS * price;
  career.refreshers += 1;
}

/** A curator confirms every pause: they see what the rules see. */
function stop(run: Run, stage: Stage, worker: Worker, rule: string): void {
  const career = worker.careers[stage.kind];
  career.standing = 'stopped';
  career.stoppedAfter = career.itemsDone;
  career.stoppedBy = rule;
  run.costs.curator += REVIEW_SECONDS * CURATOR_MICRO_PER_SECOND;
  for (const gold of stage.gold) {
    const level = gold.levels.get(worker.person.id);
    if (level === undefined) continue;
    gold.sum -= level;
    gold.levels.delete(worker.person.id);
  }
  if (run.arm.asksAgain) askAgain(run, stage, workInDoubt(career));
}

/** The worker no longer gets this part. Production asks again for the work in a whole stage only, so nothing is. */
function pauseTarget(run: Run, career: Career, target: string): void {
  career.pausedTargets.add(attributeIds.indexOf(target));
  run.costs.curator += REVIEW_SECONDS * CURATOR_MICRO_PER_SECOND;
}

/** As production's `workInDoubt`: what was done since the last check passed before the first failed one that counts. */
export function workInDoubt(career: Career): Answer[] {
  const failed = career.checks.filter(({ id, passed }) => !passed && career.named.has(id));
  const trouble = Math.min(Number.POSITIVE_INFINITY, ...failed.map(({ at }) => at.getTime()));
  const passed = career.checks.filter((check) => check.passed && check.at.getTime() < trouble);
  const since = Math.max(-1, ...passed.map(({ at }) => at.getTime()));
  return career.work.filter((answer) => answer.at > since && !answer.isSetAside);
}
