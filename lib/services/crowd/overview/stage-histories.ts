import { group } from 'd3-array';
import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AnswerValue } from '@/lib/core/quality/answer';
import type { HistoryAnswer, WorkerHistory } from '@/lib/core/quality/history';
import { readInteraction } from '@/lib/core/quality/interaction';
import { traitsOf } from '@/lib/core/quality/traits';
import { type CheckRow, checksOfStage, readStageFacts } from '../trust/read-history';
import type { CrowdStage } from './crowd-stages';

const { answerComparisons, answers, batches, items, leases, users } = tables;

/** What somebody did in a stage, and who it was. */
export type NamedHistory = WorkerHistory & { stageId: string; workerId: string; name: string };

/** Newest answers of a project that a dry run looks at; older ones would only make it slow. */
export const MOST_ANSWERS = 20_000;

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
