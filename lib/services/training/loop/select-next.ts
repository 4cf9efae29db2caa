import { setImmediate as turn } from 'node:timers/promises';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Actor, type Author, actorId, auditedAs } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { getPromotedModel } from '@/lib/services/inference/predictions';
import { enqueue } from '@/lib/services/jobs/enqueue';
import type { JobContext } from '@/lib/services/jobs/types';
import { type Candidate, picks, poolSize } from './select-diverse';

const { images, items, predictions, stages } = tables;

export const SELECT_JOB = 'select-next';

/** Before what nobody chose, behind what a curator sent back (10). By it a choice is found again and taken back. */
export const SELECTED = 5;

/** Features of so many images fit into memory, and comparing them takes seconds. */
export const MOST_SELECTED = 1000;

/** Each compares thousands of features: the process answers in between. */
const PICKS_AT_ONCE = 4;

export interface Selecting {
  projectId: string;
  stageId: string;
  /** Images, with all that is open about them in the stage. */
  count: number;
}

/** Has the images that the promoted model is least sure of, and that differ most, asked next. */
export async function selectSoon(
  db: Database,
  actor: Actor,
  { again = false, ...wanted }: Selecting & { again?: boolean },
): Promise<string> {
  const { projectId, stageId, count } = wanted;
  if (!Number.isInteger(count) || count < 1 || count > MOST_SELECTED)
    throw invalid(`Choose between 1 and ${MOST_SELECTED} images at a time.`);
  return db.transaction(async (tx) => {
    const stage = await stageOf(tx, projectId, stageId);
    if (!(await getPromotedModel(tx, projectId)))
      throw conflict('No model is promoted: promote one, then it can say what it is unsure of.');
    await goOnChoosing(tx, actor, stage, { isOn: again, images: count });
    return enqueue(
      tx,
      SELECT_JOB,
      { ...wanted, author: auditedAs(actor) },
      { title: `Choose what ${stage.name} asks next`, projectId, startedBy: actorId(actor) },
    );
  });
}

export async function selectNext(
  { db, signal, progress }: JobContext,
  { author, ...wanted }: Selecting & { author: Author },
): Promise<{ images: number; items: number }> {
  const { projectId, stageId, count } = wanted;
  const model = await getPromotedModel(db, projectId);
  if (!model) throw conflict('The model is not promoted any more: nothing was chosen.');
  await progress(0, null, 'Looking for what the model is unsure of');
  const candidates = await candidatesOf(db, wanted, model.id);
  if (candidates.length === 0)
    throw conflict('The model has seen no image that this stage still asks about: nothing was chosen.');
  const chosen: string[] = [];
  for (const id of picks(candidates, count)) {
    chosen.push(id);
    if (chosen.length % PICKS_AT_ONCE !== 0) continue;
    await turn();
    signal.throwIfAborted();
  }
  return db.transaction(async (tx) => {
    const those = sql`image_id = any (${sql.param(chosen)}::uuid[])`;
    await hold(tx, wanted, sql`(priority = ${SELECTED} or (priority < ${SELECTED} and ${those}))`);
    await putBack(tx, projectId, stageId);
    const moved = await tx.execute(sql`
      update ${items} set priority = ${SELECTED}
      where ${isOpenIn(wanted)} and priority < ${SELECTED} and ${those}`);
    const told = { images: chosen.length, items: moved.rowCount ?? 0 };
    await record(tx, {
      actor: author,
      verb: 'stage.select-next',
      subject: 'stage',
      subjectId: stageId,
      projectId,
      detail: { model: model.name, from: candidates.length, ...told },
    });
    return told;
  });
}

/** Takes the choice back: everything is asked in the order in which it came. Gives how many items that concerned. */
export async function resetSelection(
  db: Database,
  actor: Actor,
  { projectId, stageId }: { projectId: string; stageId: string },
): Promise<number> {
  return db.transaction(async (tx) => {
    const stage = await stageOf(tx, projectId, stageId);
    await goOnChoosing(tx, actor, stage, { isOn: false });
    await hold(tx, { projectId, stageId }, sql`priority = ${SELECTED}`);
    const count = await putBack(tx, projectId, stageId);
    if (count > 0)
      await record(tx, {
        actor,
        verb: 'stage.reset-next',
        subject: 'stage',
        subjectId: stageId,
        projectId,
        detail: { items: count },
      });
    return count;
  });
}

/** Whether the stage has the model choose again and again: its own, whatever the project's policy says. */
async function goOnChoosing(
  tx: Db,
  actor: Actor,
  stage: Awaited<ReturnType<typeof stageOf>>,
  askNext: { isOn: boolean; images?: number },
): Promise<void> {
  const before = (stage.policy.askNext ?? {}) as { isOn?: boolean };
  if (!askNext.isOn && before.isOn === false) return;
  const policy = { ...stage.policy, askNext: { ...before, ...askNext } };
  await tx.update(stages).set({ policy }).where(eq(stages.id, stage.id));
  await record(tx, {
    actor,
    verb: 'policy.ask-next',
    subject: 'stage',
    subjectId: stage.id,
    projectId: stage.projectId,
    detail: { from: before, to: policy.askNext },
  });
}

const isOpenIn = ({ projectId, stageId }: Pick<Selecting, 'projectId' | 'stageId'>) =>
  sql`stage_id = ${stageId} and project_id = ${projectId} and state = 'open'`;

/** In the order of ids, as everybody who changes items: nobody waits in a circle. */
const hold = (tx: Db, where: Pick<Selecting, 'projectId' | 'stageId'>, which: SQL) =>
  tx.execute(sql`
    select id from ${items} where ${isOpenIn(where)} and ${which} order by id for no key update`);

/** The items are held. */
async function putBack(tx: Db, projectId: string, stageId: string): Promise<number> {
  const back = await tx.execute(sql`
    update ${items} set priority = 0
    where ${isOpenIn({ projectId, stageId })} and priority = ${SELECTED}`);
  return back.rowCount ?? 0;
}

/**
 * The most uncertain images that the stage still asks about, as many as are chosen from. Gold is not asked: it is settled.
 * Nor what was sent back: that comes first anyway.
 */
async function candidatesOf(
  db: Db,
  { projectId, stageId, count }: Selecting,
  modelId: string,
): Promise<Candidate[]> {
  const asked = sql`from ${predictions} p
    join ${images} image on image.id = p.image_id and image.state = 'active'
    where p.model_id = ${modelId} and exists (
      select 1 from ${items} i where i.image_id = p.image_id and i.stage_id = ${stageId}
        and i.project_id = ${projectId} and i.state = 'open' and i.leased + i.answered < i.overlap
        and i.priority <= ${SELECTED})`;
  const counted = await db.execute<{ n: number }>(sql`select count(*)::int as n ${asked}`);
  const found = await db.execute<Record<string, unknown> & Candidate>(sql`
    select p.image_id as id, p.uncertainty, p.feature ${asked}
    order by p.uncertainty desc, p.image_id limit ${poolSize(counted.rows[0]?.n ?? 0, count)}`);
  return found.rows;
}

async function stageOf(tx: Db, projectId: string, stageId: string) {
  const [stage] = await tx
    .select({ id: stages.id, name: stages.name, projectId: stages.projectId, policy: stages.policy })
    .from(stages)
    .where(and(eq(stages.id, stageId), eq(stages.projectId, projectId)))
    // Who hands out items of the stage, and only refers to it, does not wait: we may wait for those items.
    .for('no key update');
  if (!stage) throw notFound('stage');
  return stage;
}
