import { group } from 'd3-array';
import { desc, eq, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { HistoryAnswer, WorkerHistory } from '@/lib/core/quality/history';
import { readInteraction } from '@/lib/core/quality/interaction';
import { statedError } from '@/lib/core/quality/interval';
import { type DryRun, dryRun } from '@/lib/core/quality/judge';
import { type Explained, explainEvidence } from '@/lib/core/quality/next-step';
import type { RuleSetting } from '@/lib/core/quality/rules';
import { betaBelow } from '@/lib/core/quality/sequential';
import { traitsOf } from '@/lib/core/quality/traits';
import { type CheckRow, checksOfStage, readStageFacts } from '../trust/read-history';
import { drawsMasks, payFor } from '../work/pay-for';
import type { CrowdStage } from './crowd-stages';

const { answerComparisons, answers, batches, items, leases, users, ruleSets } = tables;

/** Half way between the pass rates of a good and of a bad worker, 0.9 and 0.6. */
const GOOD_ENOUGH = 0.75;

interface Tried {
  run: DryRun<NamedHistory>;
  /** Answers since the last passed check before the stop: what would be asked again. */
  askedAgain: number;
  costMicro: bigint;
  /** The chance, from all checks there are, that a stopped worker is a good one; null for the others. */
  wasGood: number | null;
}

export interface Trial {
  workers: number;
  tried: Tried[];
  hinted: number;
  refreshed: number;
  stopped: number;
  notTaken: number;
  askedAgain: number;
  costMicro: bigint;
  /** How many of the stopped are to be expected good ones. */
  falseStops: number;
  /** People who would have had practice on one part, and who would have been paused for one. */
  retrained: number;
  pausedForPart: number;
  /** Of 1,000 careers of good workers, those that the sequential tests stop at most. */
  falseStopsPerThousand: number | null;
}

/** What rules would have done with everybody so far, and what it would have cost. */
export function tryRules(
  histories: readonly NamedHistory[],
  stages: readonly CrowdStage[],
  rules: readonly RuleSetting[],
): Trial {
  const runs = dryRun(histories, rules).filter((run) => run.steps.length > 0);
  const tried = runs.map((run) => weigh(run, stages));
  const sum = (of: (each: Tried) => number) => tried.reduce((total, each) => total + of(each), 0);
  const people = (list: Tried[]) => new Set(list.map(({ run }) => run.history.workerId)).size;
  const took = (verdict: string) =>
    people(
      tried.filter(({ run }) =>
        run.steps.some(({ judgement }) => judgement.verdict === verdict && judgement.target === null),
      ),
    );
  return {
    workers: new Set(histories.map((history) => history.workerId)).size,
    tried,
    hinted: took('hint'),
    refreshed: took('refresher'),
    stopped: people(tried.filter(({ run }) => run.stop)),
    notTaken: sum(({ run }) => run.answersAfterStop),
    askedAgain: sum((each) => each.askedAgain),
    costMicro: tried.reduce((total, each) => total + each.costMicro, 0n),
    falseStops: sum((each) => each.wasGood ?? 0),
    retrained: people(
      tried.filter(({ run }) => run.steps.some(({ judgement }) => judgement.target !== null)),
    ),
    pausedForPart: people(tried.filter(({ run }) => run.pausedTargets.length > 0)),
    falseStopsPerThousand: perThousand(statedError(rules)),
  };
}

const perThousand = (share: number | null) => (share === null ? null : 1000 * share);

function weigh(run: DryRun<NamedHistory>, stages: readonly CrowdStage[]): Tried {
  const { history, stop } = run;
  if (!stop) return { run, askedAgain: 0, costMicro: 0n, wasGood: null };
  const lastGood = history.checks.findLast((check) => check.passed && check.at <= stop.at)?.at;
  const askedAgain = history.answers.filter(
    (answer) => answer.at <= stop.at && (!lastGood || answer.at > lastGood),
  ).length;
  const stage = stages.find((each) => each.id === history.stageId);
  const passed = history.checks.filter((check) => check.passed).length;
  return {
    run,
    askedAgain,
    costMicro: stage ? priceOf(stage, askedAgain) : 0n,
    wasGood: 1 - betaBelow(passed, history.checks.length - passed, GOOD_ENOUGH),
  };
}

/** What asking this many items again costs. */
export function priceOf({ kind, policy }: Pick<CrowdStage, 'kind' | 'policy'>, items: number): bigint {
  const size = drawsMasks(kind) ? policy.batchSize.masks : policy.batchSize.attributes;
  return payFor(policy, { stageKind: kind, kind: 'work', answered: items, size });
}

/** What somebody did in a stage, and who it was. */
type NamedHistory = WorkerHistory & { stageId: string; workerId: string; name: string };

export interface TriedEvidence {
  stageId: string;
  tests: Explained[];
  /** What the rules would have decided, and when. */
  decisions: { id: string; stageId: string; target: string | null; at: Date; verdict: string }[];
}

/** The evidence about one worker, by stage, as if rules had held from the first day, up to the stop. */
export function triedEvidence(
  histories: readonly NamedHistory[],
  rules: readonly RuleSetting[],
  workerId: string,
): TriedEvidence[] {
  const own = histories.filter((history) => history.workerId === workerId);
  return dryRun(own, rules).map(({ history, steps, actions, stop }) => {
    const wouldBeTaken = ({ at }: { at: Date }) => !stop || at <= stop.at;
    const { stageId } = history;
    const lived = {
      ...history,
      actions,
      answers: history.answers.filter(wouldBeTaken),
      checks: history.checks.filter(wouldBeTaken),
    };
    return {
      stageId,
      tests: explainEvidence(lived, rules),
      decisions: steps.map(({ at, judgement: { verdict, target } }, n) => ({
        id: `${stageId} ${n}`,
        stageId,
        target,
        at,
        verdict,
      })),
    };
  });
}

/** Newest answers of a project that a dry run looks at; older ones would only make it slow. */
const MOST_ANSWERS = 20_000;

type Whose = { stageId: string; workerId: string };
type AnswerRow = Whose & {
  batchId: string;
  at: string;
  value: AnswerValue;
  name: string;
  interaction: unknown;
} & Pick<HistoryAnswer, 'id' | 'itemId' | 'imageId' | 'target' | 'activeMs' | 'repeatsCode' | 'publicIou'>;

/**
 * The histories of everybody in a project, as if nothing had been decided. Three statements per stage, however many
 * people there are. Checks and facts are read by the queries that decide after a batch.
 */
export async function stageHistories(
  db: Db,
  projectId: string,
  stages: CrowdStage[],
): Promise<NamedHistory[]> {
  const answered = await readAnswers(db, projectId);
  const found = await Promise.all(
    stages.map(async ({ id: stageId, policy }) => {
      const facts = await readStageFacts(db, { projectId, stageId, policy });
      const checked = await db.execute<CheckRow>(checksOfStage(stageId, sql`true`));
      const checksOf = group(checked.rows, (row) => row.workerId);
      const ofStage = group(
        answered.filter((row) => row.stageId === stageId),
        (row) => row.workerId,
      );
      return [...ofStage].map(
        ([workerId, own]): NamedHistory => ({
          stageId,
          workerId,
          name: own[0]?.name ?? '',
          answers: own.map(({ value, at, interaction, batchId: _, ...row }) => ({
            ...row,
            at: new Date(at),
            ...traitsOf(value),
            interaction: readInteraction(interaction),
          })),
          checks: (checksOf.get(workerId) ?? []).map((row) => ({ ...row, at: new Date(row.at) })),
          batchEnds: batchEndsOf(own),
          actions: [],
          state: 'active',
          since: new Date(0),
          ...facts,
        }),
      );
    }),
  );
  return found.flat();
}

/** The last answer of each batch, in time order. */
function batchEndsOf(own: readonly AnswerRow[]): Date[] {
  const ends = [...group(own, (row) => row.batchId).values()].map((rows) =>
    Math.max(...rows.map(({ at }) => Date.parse(at))),
  );
  return ends.sort((a, b) => a - b).map((ms) => new Date(ms));
}

async function readAnswers(db: Db, projectId: string): Promise<AnswerRow[]> {
  const found = await db.execute<AnswerRow>(sql`
    select b.id as "batchId", b.stage_id as "stageId", b.worker_id as "workerId", u.name, a.id, a.item_id as "itemId",
      i.image_id as "imageId", i.target, a.created_at as at, a.active_ms as "activeMs", a.value, a.interaction,
      a.repeats_code as "repeatsCode", n.public_iou as "publicIou"
    from ${batches} b join ${leases} l on l.batch_id = b.id join ${answers} a on a.lease_id = l.id
    left join ${answerComparisons} n on n.answer_id = a.id
    join ${items} i on i.id = a.item_id join ${users} u on u.id = b.worker_id
    where b.project_id = ${projectId} and b.kind = 'work'
    order by a.created_at desc, a.id desc limit ${MOST_ANSWERS}`);
  return found.rows.reverse();
}

/** The rule sets of a project, newest first; none means that Tessera's own rules are in force, as number 0. */
export async function listRuleSets(db: Db, projectId: string, limit = 20) {
  return db
    .select({
      number: ruleSets.number,
      rules: ruleSets.rules,
      by: users.name,
      at: ruleSets.createdAt,
    })
    .from(ruleSets)
    .leftJoin(users, eq(users.id, ruleSets.createdBy))
    .where(eq(ruleSets.projectId, projectId))
    .orderBy(desc(ruleSets.number))
    .limit(limit);
}
