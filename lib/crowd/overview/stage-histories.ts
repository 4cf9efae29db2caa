import { group } from 'd3-array';
import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/quality/answer';
import { browserSince } from '@/lib/quality/browser-since';
import { barsOf, type HistoryAnswer, type HistoryCheck, type WorkerHistory } from '@/lib/quality/history';
import { readInteraction } from '@/lib/quality/interaction';
import { poolTimes } from '@/lib/quality/pool-times';
import { traitsOf } from '@/lib/quality/traits';
import { comparedToModel } from '../trust/read-history';
import type { CrowdStage } from './crowd-stages';

const { answerComparisons, answers, batches, checks, items, leases, users } = tables;

/** What somebody did in a stage, and who it was. */
export type NamedHistory = WorkerHistory & { stageId: string; workerId: string; name: string };

/** Newest answers of a project that a dry run looks at; older ones would only make it slow. */
export const MOST_ANSWERS = 20_000;
/** Of fewer people on a gold item a mean says more about them than about the item. */
const FEWEST_ON_GOLD = 5;

type Whose = { stageId: string; workerId: string };
type AnswerRow = Whose & { at: string; value: AnswerValue; name: string; interaction: unknown } & Pick<
    HistoryAnswer,
    'id' | 'itemId' | 'imageId' | 'target' | 'activeMs' | 'repeatsCode' | 'publicIou'
  >;
type CheckRow = Whose & { at: string } & Omit<HistoryCheck, 'at'>;

/** The histories of everybody in a project, in two statements however many they are, as if nothing had been decided. */
export async function stageHistories(
  db: Db,
  projectId: string,
  stages: CrowdStage[],
): Promise<NamedHistory[]> {
  const [answered, checked] = await Promise.all([readAnswers(db, projectId), readChecks(db, projectId)]);
  return stages.flatMap((stage) => {
    const ofStage = answered.filter((row) => row.stageId === stage.id);
    const pool = poolTimes(ofStage.map((row) => row.activeMs));
    const since = browserSince(
      ofStage.map(({ at, interaction }) => ({ at: new Date(at), isMeasured: interaction !== null })),
    );
    const checksHere = group(
      checked.filter((row) => row.stageId === stage.id),
      (row) => row.workerId,
    );
    return [...group(ofStage, (row) => row.workerId)].map(
      ([workerId, own]): NamedHistory => ({
        stageId: stage.id,
        workerId,
        name: own[0]?.name ?? '',
        answers: own.map(({ value, at, interaction, ...row }) => ({
          ...row,
          at: new Date(at),
          ...traitsOf(value),
          interaction: readInteraction(interaction),
        })),
        checks: (checksHere.get(workerId) ?? []).map((row) => ({ ...row, at: new Date(row.at) })),
        actions: [],
        state: 'active',
        since: new Date(0),
        bars: barsOf(stage.policy),
        pool,
        browserSince: since,
      }),
    );
  });
}

async function readAnswers(db: Db, projectId: string): Promise<AnswerRow[]> {
  const found = await db.execute<AnswerRow>(sql`
    select b.stage_id as "stageId", b.worker_id as "workerId", u.name, a.id, a.item_id as "itemId",
      i.image_id as "imageId", i.target, a.created_at as at, a.active_ms as "activeMs", a.value, a.interaction,
      a.repeats_code as "repeatsCode", n.public_iou as "publicIou"
    from ${batches} b join ${leases} l on l.batch_id = b.id join ${answers} a on a.lease_id = l.id
    left join ${answerComparisons} n on n.answer_id = a.id
    join ${items} i on i.id = a.item_id join ${users} u on u.id = b.worker_id
    where b.project_id = ${projectId} and b.kind = 'work'
    order by a.created_at desc, a.id desc limit ${MOST_ANSWERS}`);
  return found.rows.reverse();
}

async function readChecks(db: Db, projectId: string): Promise<CheckRow[]> {
  const found = await db.execute<CheckRow>(sql`
    with scored as (
      select c.id, c.gold_id, c.worker_id, c.passed, c.score, b.stage_id, b.kind, i.target, c.scored_at,
        count(*) over met as met, sum((c.score->>'level')::float) over met as levels,
        (c.score->>'level')::float as level, ${comparedToModel} as model
      from ${batches} b join ${leases} l on l.batch_id = b.id join ${checks} c on c.lease_id = l.id
      join ${items} i on i.id = l.item_id
      left join ${answers} a on a.lease_id = l.id left join ${answerComparisons} n on n.answer_id = a.id
      where b.project_id = ${projectId} and c.passed is not null
      window met as (partition by c.gold_id))
    select id, gold_id as "goldId", worker_id as "workerId", stage_id as "stageId", target, passed, score,
      scored_at as at,
      case when met > ${FEWEST_ON_GOLD} then (levels - level) / (met - 1) end as expected, model
    from scored where kind = 'work' order by scored_at, id`);
  return found.rows;
}
