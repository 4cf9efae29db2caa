import { setImmediate as turn } from 'node:timers/promises';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import { type Actor, type Author, actorId, auditedAs, systemActor } from '@/lib/core/actor';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { getPromotedModel, PREDICT_JOB } from '@/lib/services/inference/predictions';
import type { JobContext } from '@/lib/services/jobs';
import { enqueue } from '@/lib/services/jobs';
import { activeStates } from '@/lib/services/jobs/job-row';

const { images, items, jobs, models, predictions, projects, stages } = tables;

export const SELECT_JOB = 'select-next';

/** Before what nobody chose, behind what a curator sent back (10). By it a choice is found again and taken back. */
export const SELECTED = 5;

/** Features of so many images fit into memory, and comparing them takes seconds. */
export const MAX_SELECTED = 1000;

/** Each compares thousands of features: the process answers in between. */
const PICKS_AT_ONCE = 4;

interface Selecting {
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
  if (!Number.isInteger(count) || count < 1 || count > MAX_SELECTED)
    throw invalid(`Choose between 1 and ${MAX_SELECTED} images at a time.`);
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
    const result = { images: chosen.length, items: moved.rowCount ?? 0 };
    await record(tx, {
      actor: author,
      verb: 'stage.select-next',
      subject: 'stage',
      subjectId: stageId,
      projectId,
      detail: { model: model.name, from: candidates.length, ...result },
    });
    return result;
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

/** What there is to choose from. */
export interface Candidate {
  /** Of the image; the last word where two are equal. */
  id: string;
  /** 0 to 1. */
  uncertainty: number;
  /** The pooled feature map; null where the model tells none. */
  feature: readonly number[] | null;
}

/** For each that is wanted, how many of the most uncertain are looked at. */
const POOL = 8;

/** How many of the most uncertain are chosen from. Of few the surer half is left out, unless all are wanted. */
export const poolSize = (candidates: number, count: number): number =>
  Math.min(candidates, POOL * count, Math.max(count, Math.ceil(candidates / 2)));

/** Which of all candidates to ask about next. Their order does not matter. */
export const selectDiverse = (candidates: readonly Candidate[], count: number): string[] => [
  ...picks([...candidates].sort(byUncertainty).slice(0, poolSize(candidates.length, count)), count),
];

/**
 * Of the most uncertain ones, which come in that order, those that are farthest from each other. The first is the
 * most uncertain; each next one is the farthest from all that are chosen (Gonzalez 1985), by the angle between features,
 * so that not one hard kind of picture is asked a hundred times over. What has no feature, or the very feature of one
 * that is chosen, comes last, the more uncertain first. Yields one at a time, so that the caller can do other work in between.
 */
function* picks(pool: readonly Candidate[], count: number): Generator<string> {
  const units = pool.map(({ feature }) => (feature ? unitOf(feature) : null));
  const distance = new Float64Array(pool.length).fill(Number.POSITIVE_INFINITY);
  const isChosen = new Uint8Array(pool.length);
  for (let chosen = 0; chosen < Math.min(count, pool.length); chosen++) {
    const next = farthest(distance, isChosen, units);
    isChosen[next] = 1;
    yield (pool[next] as Candidate).id;
    const unit = units[next];
    if (!unit) continue;
    for (const [at, other] of units.entries())
      if (other) distance[at] = Math.min(distance[at] as number, apart(unit, other));
  }
}

const byUncertainty = (a: Candidate, b: Candidate): number =>
  b.uncertainty - a.uncertainty || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** The pool is in order of uncertainty: of equal distances the first counts. */
function farthest(distance: Float64Array, isChosen: Uint8Array, units: readonly (number[] | null)[]): number {
  let [best, most] = [-1, -1];
  for (let at = 0; at < distance.length; at++) {
    if (isChosen[at]) continue;
    const far = units[at] ? (distance[at] as number) : 0;
    if (far > most) [best, most] = [at, far];
  }
  return best;
}

/** Of length one; null for a feature that points nowhere. */
function unitOf(feature: readonly number[]): number[] | null {
  const length = Math.hypot(...feature);
  return length > 0 && Number.isFinite(length) ? feature.map((value) => value / length) : null;
}

/** The chord between two directions: 0 where they are the same, 2 where they are opposite. */
export function apart(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const step = (a[at] as number) - (b[at] as number);
    sum += step * step;
  }
  return Math.sqrt(sum);
}

/** After a choice that failed or that somebody cancelled. */
const TIMEOUT_MINUTES = 10;
/** More are due the next time. */
const MAX_STAGES = 20;

const author = systemActor('Model in the loop');

type Due = {
  projectId: string;
  stageId: string;
  name: string;
  projectPolicy: Record<string, unknown>;
  stagePolicy: Record<string, unknown>;
};

/**
 * Has the promoted model choose again in the stages whose policy wants that, once all that it chose last is handed out.
 * Not while it still looks at images, and not where it has seen nothing that the stage asks about.
 */
export async function selectDue(db: Database): Promise<number> {
  const isWanted = (policy: typeof stages.policy | typeof projects.policy) =>
    sql`${policy} #>> '{askNext,isOn}' = 'true'`;
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<Due>(sql`
      select ${stages.id} as "stageId", ${stages.name} as name, ${stages.projectId} as "projectId",
        ${stages.policy} as "stagePolicy", ${projects.policy} as "projectPolicy"
      from ${stages} join ${projects} on ${projects.id} = ${stages.projectId}
      where ${stages.state} = 'open' and ${projects.state} <> 'archived'
        and (${isWanted(stages.policy)} or ${isWanted(projects.policy)})
        and not exists (
          select 1 from ${items} i where i.stage_id = ${stages.id} and i.state = 'open' and i.priority = ${SELECTED}
            and i.leased + i.answered < i.overlap)
        and not exists (
          select 1 from ${jobs} j where j.project_id = ${projects.id} and j.kind in (${SELECT_JOB}, ${PREDICT_JOB})
            and (j.state = any (${sql.param([...activeStates])}::text[])
              or (j.kind = ${SELECT_JOB} and j.state <> 'done'
                and j.finished_at > now() - make_interval(mins => ${TIMEOUT_MINUTES}))))
        and exists (
          select 1 from ${models} m join ${predictions} p on p.model_id = m.id
            join ${items} i on i.image_id = p.image_id and i.stage_id = ${stages.id}
          where m.project_id = ${projects.id} and m.state = 'promoted' and i.state = 'open'
            and i.priority < ${SELECTED} and i.leased + i.answered < i.overlap)
      order by ${stages.id} limit ${MAX_STAGES} for update of ${stages} skip locked`);
    let started = 0;
    // One of a project at a time: the next is due when it is done.
    for (const { projectId, stageId, name, ...policies } of new Map(
      rows.map((row) => [row.projectId, row]),
    ).values()) {
      const { askNext } = effectivePolicy(policies.projectPolicy, policies.stagePolicy);
      if (!askNext.isOn) continue;
      await enqueue(
        tx,
        SELECT_JOB,
        { projectId, stageId, count: askNext.images, author },
        { title: `Choose what ${name} asks next`, projectId, startedBy: null },
      );
      started++;
    }
    return started;
  });
}
