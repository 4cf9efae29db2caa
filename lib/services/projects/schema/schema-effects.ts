import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { StageKind } from '@/db/schema';
import type { AttributeChoices, DatasetSchema } from '@/lib/core/schema';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import { payFor } from '@/lib/services/crowd/work/pay-for';
import { addedQuestions, drawnTargets, isDrawn } from './expected-questions';
import { formSchemas, isAnswered } from './form-schemas';
import { missingStages } from './missing-stages';
import { isFilledIn, saidBy } from './reopen-forms';

const { gold, images, items, labels, projects, stages } = tables;

export interface AskedEffect {
  stage: string;
  target: string;
  /** Items that appear. */
  questions: number;
  /** What their answers cost at today's policy, in millionths. */
  amountMicro: bigint;
}

export interface SetAsideEffect {
  target: string;
  className: string | null;
  /** Items that are withdrawn, labels that are no longer current, gold that is no longer used. */
  questions: number;
  labels: number;
  gold: number;
}

/** What saving a schema does to what was collected so far. */
export interface SchemaEffects {
  currency: string;
  asked: AskedEffect[];
  setAside: SetAsideEffect[];
  /** Labels that were set aside by an earlier change and come back. */
  restored: number;
  /** Forms that say too little under the new schema, of all that there are; asked again if the curator wants it. */
  forms: { again: number; all: number; amountMicro: bigint };
  /** Labels that are current before and after. */
  kept: number;
  /** Active images whose class the new schema does not have. */
  withoutClass: number;
}

type FormGroup = { schemaVersionId: string; choices: AttributeChoices | null; n: number };
type Group = { className: string | null; choices: AttributeChoices | null; n: number };
type Asked = {
  kind: StageKind;
  target: string;
  className: string | null;
  state: string;
  n: number;
  labels: number;
  gold: number;
};

/** Six statements, however many images there are. */
export async function schemaEffects(
  db: Db,
  projectId: string,
  old: DatasetSchema,
  next: DatasetSchema,
): Promise<SchemaEffects> {
  const asking = await stagesOf(db, projectId);
  const groups = await imageGroups(db, projectId);
  const asked = await askedItems(db, projectId);
  const back = await restorable(db, projectId, next);
  const schemas = await formSchemas(db, projectId);
  const forms = await filledIn(db, projectId);
  const policyOf = (kind: StageKind) =>
    asking.find((stage) => stage.kind === kind)?.policy ?? asking[0]?.policy;
  const cost = (kind: StageKind, questions: number) => {
    const policy = policyOf(kind);
    const answered = questions * (policy?.overlap ?? 1);
    return policy ? payFor(policy, { stageKind: kind, kind: 'work', answered, size: answered }) : 0n;
  };
  const targets = drawnTargets(next);
  const gone = asked.filter(
    (row) =>
      row.kind === 'part-mask' && row.state !== 'withdrawn' && !isDrawn(targets, row.target, row.className),
  );
  const again = sum(
    forms.filter(({ schemaVersionId, choices }) => {
      return choices === null || !isAnswered(schemas, { schemaVersionId, choices }, next);
    }),
    ({ n }) => n,
  );
  const known = new Set(next.classes.map(({ id }) => id));
  return {
    currency: asking[0]?.policy.pay.currency ?? 'USD',
    asked: newQuestions(old, next, asking, groups)
      // What comes back is answered already.
      .map((row) => ({ ...row, questions: row.questions - (back.get(row.target) ?? 0) }))
      .filter((row) => row.questions > 0)
      .map((row) => ({ ...row, amountMicro: cost(row.kind, row.questions) })),
    setAside: byPlace(gone),
    restored: sum([...back.values()], (n) => n),
    forms: { again, all: sum(forms, ({ n }) => n), amountMicro: cost('attributes', again) },
    kept: sum(asked, (row) => row.labels) - sum(gone, (row) => row.labels),
    withoutClass: sum(groups, ({ className, n }) => (className !== null && !known.has(className) ? n : 0)),
  };
}

const sum = <T>(list: readonly T[], amount: (each: T) => number) =>
  list.reduce((total, each) => total + amount(each), 0);

/** One row for a target on a class, whatever the states of its items. */
function byPlace(gone: readonly Asked[]): SetAsideEffect[] {
  const found = new Map<string, SetAsideEffect>();
  for (const { target, className, n, labels: made, gold: used } of gone) {
    const key = `${target} ${className}`;
    const row = found.get(key) ?? { target, className, questions: 0, labels: 0, gold: 0 };
    found.set(key, {
      ...row,
      questions: row.questions + n,
      labels: row.labels + made,
      gold: row.gold + used,
    });
  }
  return [...found.values()];
}

type Stages = Awaited<ReturnType<typeof stagesOf>>;

function newQuestions(old: DatasetSchema, next: DatasetSchema, asking: Stages, groups: readonly Group[]) {
  const after = [
    ...asking,
    ...missingStages(next, asking).map((stage) => ({ ...stage, id: `new ${stage.kind}` })),
  ];
  const found = new Map<string, { stage: string; kind: StageKind; target: string; questions: number }>();
  for (const { className, choices, n } of groups) {
    for (const question of addedQuestions(old, next, { old: asking, next: after }, className, choices)) {
      const stage = after.find(({ id }) => id === question.stageId);
      if (!stage) continue;
      const key = `${question.stageId} ${question.target}`;
      const row = found.get(key) ?? {
        stage: stage.name,
        kind: stage.kind,
        target: question.target,
        questions: 0,
      };
      found.set(key, { ...row, questions: row.questions + n });
    }
  }
  return [...found.values()];
}

async function stagesOf(db: Db, projectId: string) {
  const rows = await db
    .select({
      id: stages.id,
      kind: stages.kind,
      name: stages.name,
      own: stages.policy,
      project: projects.policy,
    })
    .from(stages)
    .innerJoin(projects, sql`${projects.id} = ${stages.projectId}`)
    .where(sql`${stages.projectId} = ${projectId} and ${stages.asks} = 'images'`)
    .orderBy(stages.position);
  return rows.map(({ own, project, ...stage }) => ({ ...stage, policy: effectivePolicy(project, own) }));
}

/** Images about which something was asked, by class and by what their form says. */
async function imageGroups(db: Db, projectId: string): Promise<Group[]> {
  const found = await db.execute<Group>(sql`
    select image.class_name as "className", form.choices, count(*)::int as n
    from ${images} image
    left join lateral (
      select l.value->'choices' as choices from ${items} i
      join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
      join ${labels} l on l.item_id = i.id and l.is_current
      where i.image_id = image.id limit 1
    ) form on true
    where image.project_id = ${projectId} and image.state = 'active'
      and exists (select 1 from ${items} i where i.image_id = image.id)
    group by 1, 2`);
  return found.rows;
}

/** Forms by the version that they were filled in under and by what they say. */
async function filledIn(db: Db, projectId: string): Promise<FormGroup[]> {
  const found = await db.execute<FormGroup>(sql`
    select "schemaVersionId", value->'choices' as choices, count(*)::int as n from (
      select i.schema_version_id as "schemaVersionId", ${saidBy} as value
      from ${items} i join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
      left join ${labels} l on l.item_id = i.id and l.is_current
      where i.project_id = ${projectId} and ${isFilledIn}) as form
    group by 1, 2`);
  return found.rows;
}

async function askedItems(db: Db, projectId: string): Promise<Asked[]> {
  const found = await db.execute<Asked>(sql`
    select s.kind, i.target, image.class_name as "className", i.state, count(*)::int as n,
      count(l.id)::int as labels, (count(g.id) filter (where g.state <> 'excluded'))::int as gold
    from ${items} i
    join ${stages} s on s.id = i.stage_id
    join ${images} image on image.id = i.image_id
    left join ${labels} l on l.item_id = i.id and l.is_current
    left join ${gold} g on g.item_id = i.id
    where i.project_id = ${projectId}
    group by 1, 2, 3, 4 order by 2, 3`);
  return found.rows;
}

/** Labels that come back, by target. */
async function restorable(db: Db, projectId: string, next: DatasetSchema): Promise<Map<string, number>> {
  const { everywhere, onClass } = drawnTargets(next);
  const found = await db.execute<{ target: string; n: number }>(sql`
    select i.target, count(*)::int as n from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'part-mask'
    join ${images} image on image.id = i.image_id
    where i.project_id = ${projectId} and ${setAsideBySchema} and ${isAsked(everywhere, onClass)}
    group by 1`);
  return new Map(found.rows.map(({ target, n }) => [target, n]));
}

/**
 * Of an item `i`: withdrawn while it had a label, because a schema no longer asked for it, and for no newer reason.
 * Labels that are not current are found by their image. With a limit instead of the array, the planner would look for
 * the newest decision among all that there are, once for every item.
 */
export const setAsideBySchema = sql`i.state = 'withdrawn' and coalesce((
  select (array_agg(d.rule = 'schema-change' and d.verdict = 'set-aside' order by d.id desc))[1]
  from ${labels} l join ${tables.decisions} d on d.subject = 'label' and d.subject_id = l.id
  where l.image_id = i.image_id and l.item_id = i.id and d.verdict not like 'audit-%'), false)`;

/**
 * Of an item `i` of a part stage and its `image`: drawn under the schema that these targets come from. Of a further
 * object in the picture the target says the class (see `readTarget`).
 */
export const isAsked = (everywhere: string[], onClass: { target: string; className: string }[]) => sql`(
  split_part(i.target, '#', 1) = any (${sql.param(everywhere)}::text[]) or exists (
    select 1 from jsonb_to_recordset(${JSON.stringify(onClass)}::jsonb) as pair(target text, "className" text)
    where pair.target = split_part(i.target, '#', 1) and pair."className" = case
      when position('#' in i.target) > 0 then substring(i.target from '#[0-9]+:(.*)$') else image.class_name end))`;
