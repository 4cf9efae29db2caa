import { eq, sql } from 'drizzle-orm';
import { type Database, type Db, type Transaction, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { record } from '@/lib/services/activity';
import type { CrowdStage } from '@/lib/services/crowd/overview/crowd-stages';
import { priceOf } from '@/lib/services/crowd/overview/try-rules';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { requireEvaluation, type Selected, selectedImages } from './selection';

const { gold, images, items, projects, stages } = tables;

/** Above ordinary items. */
const PRIORITY = 10;

export interface AnswerRequest extends Selected {
  stageId: string;
  /** Additional answers per item, from workers who have not answered it. */
  answers: number;
}

export interface AnswerRequestPlan {
  images: number;
  /** Settled items that would be reopened. */
  questions: number;
  /** Items that are already open; they move to the front at no extra cost. */
  waiting: number;
  /** Gold items, which stay unchanged. */
  gold: number;
  currency: string;
  /** Cost of the requested answers, and of the maximum overlap if workers disagree. */
  costMicro: bigint;
  mostMicro: bigint;
}

/** Plans a request for more answers with its cost. */
export async function planAnswerRequest(
  db: Db,
  actor: Actor,
  asking: AnswerRequest,
): Promise<AnswerRequestPlan> {
  await authorise(db, actor, 'crowd.manage', { project: asking.projectId });
  await requireEvaluation(db, asking);
  return planOf(db, asking, await stageOf(db, asking));
}

/**
 * Reopens the settled items of selected images in a stage for workers who have not answered them. The labels stay until the
 * new answers arrive; then all answers together form the label.
 */
export async function requestAnswers(
  db: Database,
  actor: Actor,
  asking: AnswerRequest,
): Promise<AnswerRequestPlan> {
  await authorise(db, actor, 'crowd.manage', { project: asking.projectId });
  await requireEvaluation(db, asking);
  return db.transaction(async (tx) => {
    const stage = await stageOf(tx, asking);
    await lockItems(tx, asking);
    const plan = await planOf(tx, asking, stage);
    if (plan.questions + plan.waiting === 0)
      throw invalid(
        `"${stage.name}" has no items for these images that can be reopened. Choose another stage.`,
      );
    await tx.execute(sql`
      update ${items} i set priority = greatest(i.priority, ${PRIORITY}), state = 'open',
        overlap = case when i.state = 'settled' then i.answered + i.leased + ${asking.answers} else i.overlap end
      where ${selectItems(asking)} and not ${isGold}`);
    await record(tx, {
      actor,
      verb: 'stage.ask-anew',
      subject: 'stage',
      subjectId: asking.stageId,
      projectId: asking.projectId,
      detail: {
        stage: stage.name,
        evaluationId: asking.evaluationId,
        images: plan.images,
        questions: plan.questions,
        answers: asking.answers,
      },
    });
    return plan;
  });
}

async function stageOf(db: Db, { projectId, stageId, answers }: AnswerRequest): Promise<CrowdStage> {
  if (answers < 1 || answers > 10) throw invalid('Request one to ten answers per item.');
  const [found] = await db
    .select({ stage: stages, project: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(sql`${stages.id} = ${stageId} and ${stages.projectId} = ${projectId}`);
  if (!found) throw notFound('stage');
  const { id, name, kind, state, policy } = found.stage;
  if (state === 'closed') throw conflict(`"${name}" is closed. Open it first.`);
  if (kind === 'oracle')
    throw conflict(`"${name}" is an oracle stage, which creates no labels. Choose another stage.`);
  return { id, name, kind, state, own: policy, policy: effectivePolicy(found.project, policy) };
}

/** Condition on items `i`: items of the stage for the selected active images. */
const selectItems = (asking: AnswerRequest) => sql`i.stage_id = ${asking.stageId} and i.state <> 'withdrawn'
  and i.image_id in (select p.id from ${images} p where p.project_id = ${asking.projectId} and p.state = 'active'
    and p.id in (${selectedImages(asking)}))`;

const isGold = sql`exists (select 1 from ${gold} g where g.item_id = i.id and g.state = 'active')`;

/** Locks the items in id order, as everywhere, to avoid deadlocks. */
const lockItems = (tx: Transaction, asking: AnswerRequest) =>
  tx.execute(
    sql`select i.id from ${items} i where ${selectItems(asking)} order by i.id for no key update of i`,
  );

type Counts = { images: number; questions: number; waiting: number; gold: number; most: number };

async function planOf(db: Db, asking: AnswerRequest, stage: CrowdStage): Promise<AnswerRequestPlan> {
  const { answers } = asking;
  const asks = sql`not gold and state = 'settled'`;
  const found = await db.execute<Counts>(sql`
    select count(distinct image_id)::int as images,
      (count(*) filter (where ${asks}))::int as questions,
      (count(*) filter (where not gold and state = 'open'))::int as waiting,
      (count(*) filter (where gold))::int as gold,
      coalesce(sum(greatest(${answers}, ${stage.policy.maxOverlap} - answered)) filter (where ${asks}), 0)::int as most
    from (select i.image_id, i.state, i.answered, ${isGold} as gold from ${items} i where ${selectItems(asking)}) as asked`);
  const [counts] = found.rows;
  if (!counts) throw new Error('A count has a row.');
  const { most, ...rest } = counts;
  return {
    ...rest,
    currency: stage.policy.pay.currency,
    costMicro: priceOf(stage, counts.questions * answers),
    mostMicro: priceOf(stage, most),
  };
}
