import { eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { groupBy } from '@/lib/core/quality/group-by';
import type { AttributeChoices } from '@/lib/core/schema';
import { changeFollowing, followingQuestions, type ImagePlan } from './change-following';
import { effectivePolicy } from './effective-policy';

const { gold, images, items, labelRisks, labels, projects, schemaVersions, stages } = tables;

interface Following {
  projectId: string;
  /** Forms whose label was made, replaced or taken back just now. They and the items of their images are held. */
  formIds: readonly string[];
  by: Knowing['by'];
}

/**
 * The one place that says what follows from settled forms: their images are asked what the forms lead to by the
 * schema of today, whatever version they were filled in under (an id means the same for ever), and nothing else. A
 * question that no longer follows is withdrawn, with its answers and its label; one that follows again comes back as
 * it was.
 */
export async function followForms(tx: Transaction, { projectId, formIds, by }: Following): Promise<void> {
  if (formIds.length === 0) return;
  const setting = await settingOf(tx, projectId);
  const masks = setting.stages.filter(({ kind }) => kind === 'object-mask' || kind === 'part-mask');
  if (masks.length === 0) return;
  const closed = new Set(masks.filter(({ isClosed }) => isClosed).map(({ id }) => id));
  const given = new Set(formIds);
  const forms = groupBy(await formsBeside(tx, formIds), ({ imageId }) => imageId);
  const asked = groupBy(await askedAbout(tx, [...forms.keys()], masks), ({ imageId }) => imageId);
  const plans = [...forms].map(([imageId, list]): ImagePlan => {
    const expected = list.flatMap(({ id, position, priority, className, choices }): Expected[] => {
      if (choices === null) return [];
      const later = masks.filter((stage) => stage.position > position);
      const questions = followingQuestions(setting.schema, later, className, choices);
      return questions.map((question) => ({ ...question, priority, isAnew: given.has(id) }));
    });
    const isKnown = list.every(({ choices }) => choices !== null);
    const plan = planFollowing(withoutDoubles(expected), asked.get(imageId) ?? [], { isKnown, by });
    // A closed stage keeps what it has and asks nobody anything new.
    return { imageId, ...plan, ask: plan.ask.filter(({ stageId }) => !closed.has(stageId)) };
  });
  await changeFollowing(tx, { ...setting, projectId }, plans);
}

/** Two forms may lead to one question: the more urgent asks it, and either claims it anew. */
function withoutDoubles(expected: readonly Expected[]): Expected[] {
  const byPlace = groupBy(expected, ({ stageId, target }) => `${stageId} ${target}`);
  return [...byPlace.values()].map((same) => ({
    ...(same[0] as Expected),
    priority: Math.max(...same.map(({ priority }) => priority)),
    isAnew: same.some(({ isAnew }) => isAnew),
  }));
}

export async function settingOf(tx: Transaction, projectId: string) {
  const rows = await tx
    .select({
      id: stages.id,
      kind: stages.kind,
      position: stages.position,
      state: stages.state,
      own: stages.policy,
      policy: projects.policy,
      schemaVersionId: schemaVersions.id,
      schema: schemaVersions.document,
    })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(stages.projectId, projectId));
  const [first] = rows;
  if (!first) throw new Error('A form has a stage, and its project a schema.');
  return {
    schema: first.schema,
    schemaVersionId: first.schemaVersionId,
    stages: rows.map(({ id, kind, position, state, own, policy }) => ({
      id,
      kind,
      position,
      isClosed: state === 'closed',
      overlap: effectivePolicy(policy, own).overlap,
    })),
  };
}

type Form = {
  id: string;
  imageId: string;
  position: number;
  priority: number;
  className: string | null;
  /** Null while it has no label. */
  choices: AttributeChoices | null;
};

/** The forms, and the other forms of their images: what any of them claims is asked. */
async function formsBeside(tx: Transaction, formIds: readonly string[]): Promise<Form[]> {
  const found = await tx.execute<Form>(sql`
    select i.id, i.image_id as "imageId", s.position, i.priority, image.class_name as "className",
      l.value->'choices' as choices
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
    join ${images} image on image.id = i.image_id
    left join ${labels} l on l.item_id = i.id and l.is_current
    where i.state <> 'withdrawn' and i.image_id in (
      select form.image_id from ${items} form where form.id = any (${sql.param(formIds)}::uuid[]))
    order by i.id`);
  return found.rows;
}

export type AskedRow = { [Key in keyof Asked]: Asked[Key] } & { imageId: string; isImported: boolean };

/**
 * About the object that the picture is of, to which forms refer, or about the other objects in it (see `readTarget`).
 */
export async function askedAbout(
  tx: Transaction,
  imageIds: readonly string[],
  masks: readonly { id: string; kind: StageKind }[],
  about: 'main' | 'objects' = 'main',
): Promise<AskedRow[]> {
  const found = await tx.execute<AskedRow>(sql`
    select i.id, i.image_id as "imageId", i.stage_id as "stageId", i.target, i.state, l.id as "labelId",
      l.mask is not null as "isDrawn", coalesce(l.provenance ? 'falsePositive', false) as "isDenied",
      l.id is not null and (l.source not in ('answer', 'consensus') or risk.reviewed_at is not null) as "isCurated",
      coalesce(l.source = 'import', false) as "isImported",
      exists (select 1 from ${gold} g where g.item_id = i.id and g.state <> 'excluded') as "isGold"
    from ${items} i
    left join ${labels} l on l.item_id = i.id and l.is_current
    left join ${labelRisks} risk on risk.label_id = l.id
    where i.image_id = any (${sql.param(imageIds)}::uuid[])
      and i.stage_id = any (${sql.param(masks.map(({ id }) => id))}::uuid[]) and (position('#' in i.target) > 0) = ${about === 'objects'}
    order by i.id for no key update of i`);
  return found.rows;
}

/** A question that the forms of an image lead to. */
interface Expected {
  stageId: string;
  target: string;
  priority: number;
  /** One of the forms that were just settled leads to it. */
  isAnew: boolean;
}

/** A question of a mask stage that exists about the image. */
export interface Asked {
  id: string;
  stageId: string;
  target: string;
  state: 'open' | 'settled' | 'withdrawn';
  /** Its current label; of a drawing, whether a curator made or accepted it. */
  labelId: string | null;
  isDrawn: boolean;
  isCurated: boolean;
  /** Somebody found nothing to draw, and the form lost its attribute by that. */
  isDenied: boolean;
  isGold: boolean;
}

export interface Plan {
  ask: Expected[];
  /** Withdrawn questions that follow again. */
  reopen: { asked: Asked; priority: number }[];
  /** Questions that were denied before their attribute was claimed anew. */
  askAgain: Asked[];
  withdraw: Asked[];
}

interface Knowing {
  /** Every form of the image is settled: what none of them leads to is not asked. */
  isKnown: boolean;
  /** What a curator drew or accepted outlasts what the crowd says, but not what a curator says. */
  by: 'crowd' | 'curator';
}

/** What has to happen to the questions about an image for them to be those that its forms lead to. */
export function planFollowing(
  expected: readonly Expected[],
  asked: readonly Asked[],
  { isKnown, by }: Knowing,
): Plan {
  const keyOf = ({ stageId, target }: { stageId: string; target: string }) => `${stageId} ${target}`;
  const wanted = new Map(expected.map((each) => [keyOf(each), each]));
  const there = new Set(asked.map(keyOf));
  const plan: Plan = {
    ask: expected.filter((each) => !there.has(keyOf(each))),
    reopen: [],
    askAgain: [],
    withdraw: [],
  };
  for (const each of asked) {
    const follows = wanted.get(keyOf(each));
    if (!follows) {
      if (isKnown && goesAway(each, by)) plan.withdraw.push(each);
    } else if (each.state === 'withdrawn') plan.reopen.push({ asked: each, priority: follows.priority });
    else if (each.state === 'settled' && each.isDenied && follows.isAnew) plan.askAgain.push(each);
  }
  return plan;
}

/** "Nothing to label" agrees with a form that does not claim it, and gold is what people are measured by. */
function goesAway({ state, isGold, labelId, isDrawn, isCurated }: Asked, by: Knowing['by']): boolean {
  if (isGold || state === 'withdrawn') return false;
  if (labelId === null) return true;
  return isDrawn && (by === 'curator' || !isCurated);
}
