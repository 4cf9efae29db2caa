import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { iou } from '@/lib/core/mask';
import { type Estimate, meanEstimate } from '@/lib/core/quality/agreement';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { groupBy } from '@/lib/core/quality/group-by';
import { positivesOf } from '@/lib/core/quality/score-check';
import { type Trust, trustOf } from '@/lib/core/quality/trust';
import { type CrowdStage, crowdStages } from '@/lib/services/crowd/overview/crowd-stages';
import { getWorker } from '@/lib/services/crowd/overview/get-worker';
import {
  type WorkerCheck,
  type WorkerStageWork,
  workerChecks,
  workerStages,
} from '@/lib/services/crowd/overview/worker-stages';
import { drawsMasks } from '@/lib/services/crowd/work/pay-for';
import { drawingOf } from '../consensus/merger';

type Project = Pick<typeof tables.projects.$inferSelect, 'id' | 'policy'>;

/** One person's side of a comparison, in one stage. */
export interface Side {
  work: WorkerStageWork | undefined;
  /** From all scored checks, exams included; null without any. */
  trust: Trust | null;
  byTarget: Record<string, Trust>;
}

export interface ComparedStage {
  stage: CrowdStage;
  sides: readonly [Side, Side];
  /** How alike they answer what both answered. */
  alike: Estimate | null;
}

/** Two workers side by side. A fixed number of statements. */
export async function compareWorkers(db: Db, project: Project, ids: readonly [string, string]) {
  const [stages, alike, ...read] = await Promise.all([
    crowdStages(db, project),
    sharedAnswers(db, project.id, ids),
    readOne(db, project.id, ids[0]),
    readOne(db, project.id, ids[1]),
  ]);
  const compared = stages
    .map(
      (stage): ComparedStage => ({
        stage,
        sides: [sideOf(stage, read[0]), sideOf(stage, read[1])],
        alike: alike.get(stage.id) ?? null,
      }),
    )
    .filter(({ sides }) => sides.some(({ trust, work }) => trust || work?.items));
  return { people: [read[0].person, read[1].person] as const, stages: compared };
}

export type Comparison = Awaited<ReturnType<typeof compareWorkers>>;

type One = Awaited<ReturnType<typeof readOne>>;

async function readOne(db: Db, projectId: string, workerId: string) {
  const person = await getWorker(db, projectId, workerId);
  const [work, checks] = await Promise.all([
    workerStages(db, projectId, workerId),
    workerChecks(db, projectId, workerId),
  ]);
  return { person, work, checks };
}

function sideOf(stage: CrowdStage, { work, checks }: One): Side {
  const own = checks.filter((check) => check.stageId === stage.id).map(scored);
  const trust = trustOf(own);
  return {
    work: work.find(({ stageId }) => stageId === stage.id),
    trust: own.length > 0 ? trust.all : null,
    byTarget: trust.byTarget,
  };
}

const scored = ({ target, passed, score }: WorkerCheck) => ({
  target,
  passed: passed ?? false,
  score: score ?? {},
});

const { answers, batches, images, items, leases, stages } = tables;

/** Items that are compared in each stage: the newest. */
const MAX_SHARED_ITEMS = 200;

type Row = {
  stageId: string;
  kind: StageKind;
  height: number;
  width: number;
  one: AnswerValue;
  other: AnswerValue;
  oneMask: string | null;
  otherMask: string | null;
};

/**
 * How alike two people answer the same items, exams and checks included: for forms the share of the marked attributes
 * that both marked (Jaccard), for masks the IoU, where nothing and nothing is 1. By stage, in one statement.
 */
async function sharedAnswers(
  db: Db,
  projectId: string,
  [one, other]: readonly [string, string],
): Promise<Map<string, Estimate>> {
  const found = await db.execute<Row>(sql`
    with ranked as (
      select i.stage_id, s.kind, image.height, image.width,
        case when a.mask is null then a.value else '{"kind":"nothing"}'::jsonb end as one, a.mask as one_mask,
        case when o.mask is null then o.value else '{"kind":"nothing"}'::jsonb end as other, o.mask as other_mask,
        row_number() over (partition by i.stage_id order by a.created_at desc) as place
      from ${answers} a join ${answers} o on o.item_id = a.item_id and o.worker_id = ${other}
      join ${items} i on i.id = a.item_id and i.project_id = ${projectId}
      join ${stages} s on s.id = i.stage_id join ${images} image on image.id = i.image_id
      join ${leases} al on al.id = a.lease_id join ${batches} ab on ab.id = al.batch_id and ab.state <> 'leased'
      join ${leases} ol on ol.id = o.lease_id join ${batches} ob on ob.id = ol.batch_id and ob.state <> 'leased'
      where a.worker_id = ${one})
    select stage_id as "stageId", kind, height, width, one, other, one_mask as "oneMask", other_mask as "otherMask"
    from ranked where place <= ${MAX_SHARED_ITEMS}`);
  return new Map(
    [...groupBy(found.rows, (row) => row.stageId)].map(([stageId, rows]) => [
      stageId,
      meanEstimate(rows.map(similarity), [0, 1], 'They have no item in common.'),
    ]),
  );
}

function similarity(row: Row): number {
  if (drawsMasks(row.kind)) {
    const [a, b] = [drawingOf(row.oneMask, row), drawingOf(row.otherMask, row)];
    if (a && b) return iou(a, b);
    return a || b ? 0 : 1;
  }
  const [a, b] = [new Set(valuesIn(row.one)), new Set(valuesIn(row.other))];
  const all = new Set([...a, ...b]);
  return all.size === 0 ? 1 : [...all].filter((id) => a.has(id) && b.has(id)).length / all.size;
}

const valuesIn = (value: AnswerValue): string[] =>
  value.kind === 'class' ? [value.className] : positivesOf(value);
