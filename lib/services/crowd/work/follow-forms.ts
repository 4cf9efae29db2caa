import { eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import { groupBy } from '@/lib/core/quality/group-by';
import type { AttributeChoices } from '@/lib/core/schema';
import { changeFollowing, type ImagePlan } from './change-following';
import { effectivePolicy } from './effective-policy';
import { followingQuestions } from './following-questions';
import { type Asked, type Expected, type Knowing, planFollowing } from './plan-following';

const { gold, images, items, labelRisks, labels, projects, schemaVersions, stages } = tables;

export interface Following {
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

async function settingOf(tx: Transaction, projectId: string) {
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

type AskedRow = { [Key in keyof Asked]: Asked[Key] } & { imageId: string };

/** About the object that the picture is of: no form says anything about others in it (see `readTarget`). */
async function askedAbout(
  tx: Transaction,
  imageIds: readonly string[],
  masks: readonly { id: string; kind: StageKind }[],
): Promise<AskedRow[]> {
  const found = await tx.execute<AskedRow>(sql`
    select i.id, i.image_id as "imageId", i.stage_id as "stageId", i.target, i.state, l.id as "labelId",
      l.mask is not null as "isDrawn", coalesce(l.provenance ? 'falsePositive', false) as "isDenied",
      l.id is not null and (l.source not in ('answer', 'consensus') or risk.reviewed_at is not null) as "isCurated",
      exists (select 1 from ${gold} g where g.item_id = i.id and g.state <> 'excluded') as "isGold"
    from ${items} i
    left join ${labels} l on l.item_id = i.id and l.is_current
    left join ${labelRisks} risk on risk.label_id = l.id
    where i.image_id = any (${sql.param(imageIds)}::uuid[])
      and i.stage_id = any (${sql.param(masks.map(({ id }) => id))}::uuid[]) and position('#' in i.target) = 0
    order by i.id for no key update of i`);
  return found.rows;
}
