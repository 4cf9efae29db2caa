import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import {
  type AttributeChoices,
  type DatasetSchema,
  localisedAttributes,
  partsOfClass,
  STUFF_NUMBER,
  stuffClasses,
  writeTarget,
} from '@/lib/core/schema';
import { writeQuestions } from './ask-first-questions';
import type { Asked, Plan } from './follow-forms';

const { decisions, items, labels } = tables;

export type ImagePlan = Plan & { imageId: string };

interface Setting {
  projectId: string;
  schemaVersionId: string;
  stages: readonly { id: string; overlap: number }[];
  /** What the questions follow from: a form if undefined. */
  cause?: 'objects';
}

/** The rule of decisions about labels that came and went with a form, or with an outline of several objects. */
const FOLLOWS = 'follows-form';
const ROWS_PER_INSERT = 1000;

/** Does what was planned for the questions about images. A fixed number of statements, and none where nothing changes. */
export async function changeFollowing(
  tx: Transaction,
  setting: Setting,
  plans: readonly ImagePlan[],
): Promise<void> {
  await withdraw(
    tx,
    setting,
    plans.flatMap((plan) => plan.withdraw),
  );
  await bringBack(
    tx,
    setting,
    plans.flatMap(({ imageId, reopen }) => reopen.map((each) => ({ ...each, imageId }))),
  );
  await askAgain(
    tx,
    plans.flatMap((plan) => plan.askAgain),
  );
  const rows = plans.flatMap(({ imageId, ask }) =>
    ask.map(({ stageId, target, priority }) => ({
      projectId: setting.projectId,
      schemaVersionId: setting.schemaVersionId,
      imageId,
      stageId,
      target,
      priority,
      overlap: setting.stages.find(({ id }) => id === stageId)?.overlap ?? 1,
    })),
  );
  await writeQuestions(tx, rows, { reopens: false });
}

const idsOf = (list: readonly { id: string }[]) => sql.param(list.map(({ id }) => id));

/** Whoever is at one of them just now is paid as for any question that closes before the answer comes. */
async function withdraw(
  tx: Transaction,
  { projectId, cause }: Setting,
  gone: readonly Asked[],
): Promise<void> {
  if (gone.length === 0) return;
  await tx.execute(sql`update ${items} set state = 'withdrawn' where id = any (${idsOf(gone)}::uuid[])`);
  const aside = gone.flatMap(({ labelId, target }) => (labelId ? [{ id: labelId, target }] : []));
  await tx.execute(sql`update ${labels} set is_current = false where id = any (${idsOf(aside)}::uuid[])`);
  await decide(tx, projectId, aside, 'set-aside', (target) =>
    cause === 'objects'
      ? `The outlines of the image have no object for "${target}".`
      : `The form of the image does not say "${target}".`,
  );
}

type Returning = Plan['reopen'][number] & { imageId: string };

/** A label that was set aside with its question is current again (it is found by its image); one without is open. */
async function bringBack(tx: Transaction, setting: Setting, list: readonly Returning[]): Promise<void> {
  if (list.length === 0) return;
  const imageIds = [...new Set(list.map(({ imageId }) => imageId))];
  const last = await tx.execute<{ id: string; itemId: string; target: string; isOurs: boolean }>(sql`
    select distinct on (l.item_id) l.id, l.item_id as "itemId", l.target,
      d.rule = ${FOLLOWS} and d.verdict = 'set-aside' as "isOurs"
    from ${labels} l join ${decisions} d on d.subject = 'label' and d.subject_id = l.id
    where l.image_id = any (${sql.param(imageIds)}::uuid[])
      and l.item_id = any (${idsOf(list.map(({ asked }) => asked))}::uuid[]) and d.verdict not like 'audit-%'
    order by l.item_id, d.id desc`);
  const back = last.rows.filter(({ isOurs }) => isOurs);
  const settled = new Set(back.map(({ itemId }) => itemId));
  if (back.length > 0) {
    await tx.execute(sql`update ${labels} set is_current = true where id = any (${idsOf(back)}::uuid[])`);
    await decide(tx, setting.projectId, back, 'restored', (target) =>
      setting.cause === 'objects'
        ? `The outlines of the image have an object for "${target}" again.`
        : `The form of the image says "${target}" again.`,
    );
  }
  const rows = list.map(({ asked, priority }) => ({
    id: asked.id,
    priority,
    state: settled.has(asked.id) ? 'settled' : 'open',
  }));
  await tx.execute(sql`
    update ${items} i set state = q.state, priority = q.priority,
      overlap = case when q.state = 'open' then greatest(i.overlap, i.answered + 1) else i.overlap end,
      schema_version_id = case when q.state = 'open' and i.leased = 0
        then ${setting.schemaVersionId}::uuid else i.schema_version_id end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q(id uuid, priority int, state text)
    where i.id = q.id`);
}

/** Somebody found nothing to draw, and now the attribute is claimed anew: somebody else has another look. */
async function askAgain(tx: Transaction, denied: readonly Asked[]): Promise<void> {
  if (denied.length === 0) return;
  const labelIds = denied.flatMap(({ labelId }) => labelId ?? []);
  await tx.execute(sql`
    update ${labels} set is_current = false where id = any (${sql.param(labelIds)}::uuid[])`);
  await tx.execute(sql`
    update ${items} set state = 'open', overlap = answered + 1 where id = any (${idsOf(denied)}::uuid[])`);
}

async function decide(
  tx: Transaction,
  projectId: string,
  about: readonly { id: string; target: string }[],
  verdict: 'set-aside' | 'restored',
  reason: (target: string) => string,
): Promise<void> {
  const rows = about.map(({ id, target }) => ({
    id: newId(),
    projectId,
    subject: 'label' as const,
    subjectId: id,
    verdict,
    reason: reason(target),
    rule: FOLLOWS,
    ruleVersion: 1,
  }));
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT)
    await tx.insert(decisions).values(rows.slice(from, from + ROWS_PER_INSERT));
}

export interface Question {
  stageId: string;
  target: string;
}

type Stages = readonly { id: string; kind: StageKind }[];

/**
 * What is asked about an image once its attributes are known: its whole object and the region of each stuff class once,
 * each localised attribute that it has, and each part of its class.
 */
export function followingQuestions(
  schema: DatasetSchema,
  stages: Stages,
  className: string | null,
  choices: AttributeChoices,
): Question[] {
  const chosen = new Set(Object.values(choices).flat());
  const attributes = localisedAttributes(schema).filter((attribute) => chosen.has(attribute.id));
  const parts = className === null ? [] : partsOfClass(schema, className);
  return questions(stages, {
    'object-mask': ['', ...stuffTargets(schema, className)],
    'part-mask': [...attributes, ...parts].map((entry) => entry.id),
  });
}

/** The targets of the stuff classes that an image is asked about. */
export const stuffTargets = (schema: DatasetSchema, className: string | null): string[] =>
  stuffClasses(schema)
    .filter(({ id }) => id !== className)
    .map(({ id }) => writeTarget({ id: '', instance: STUFF_NUMBER, className: id }));

/** What is asked about a new image. Without a stage for attributes there is nothing that masks could wait for. */
export function firstQuestions(schema: DatasetSchema, stages: Stages, className: string | null): Question[] {
  const aboutImage = questions(stages, { attributes: [''], oracle: [''] });
  if (stages.some((stage) => stage.kind === 'attributes')) return aboutImage;
  return [...aboutImage, ...followingQuestions(schema, stages, className, {})];
}

/** In a fixed order, so that two who write the same questions at once never wait for each other in a circle. */
function questions(stages: Stages, targets: Partial<Record<StageKind, string[]>>): Question[] {
  const byId = [...stages].sort((a, b) => (a.id < b.id ? -1 : 1));
  return byId.flatMap(({ id, kind }) =>
    [...new Set(targets[kind])].sort().map((target) => ({ stageId: id, target })),
  );
}
