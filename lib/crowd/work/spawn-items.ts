import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import type { AttributeChoices } from '@/lib/schema';
import { effectivePolicy } from './effective-policy';
import { followingQuestions } from './following-questions';
import type { Item } from './hold-items';

const { images, items, labels, projects, schemaVersions, stages } = tables;

export interface Cause {
  item: Item;
  choices: AttributeChoices;
}

/**
 * Makes the items of the later stages that follow from accepted attributes. They keep the schema version of
 * their cause, whose attributes they name, and its priority. What is asked already is not asked again, unless it
 * was withdrawn with a cause that was asked again, or denied before its attribute was claimed anew.
 */
export async function spawnItems(tx: Transaction, causes: readonly Cause[]): Promise<void> {
  const [first] = causes;
  if (!first) return;
  const later = await laterStages(tx, first.item);
  if (later.length === 0) return;
  const classNames = await classNamesOf(tx, causes);
  const schemas = await schemasOf(tx, causes);
  const rows = causes.flatMap(({ item, choices }) => {
    const schema = schemas.get(item.schemaVersionId);
    if (!schema) throw new Error('An item has a schema.');
    const { projectId, imageId, schemaVersionId, priority } = item;
    const asked = followingQuestions(schema, later, classNames.get(imageId) ?? null, choices);
    return asked.map((question) => ({
      ...question,
      projectId,
      imageId,
      schemaVersionId,
      priority,
      overlap: later.find((stage) => stage.id === question.stageId)?.overlap,
    }));
  });
  if (rows.length === 0) return;
  // In one order for everybody who writes the same questions at once.
  rows.sort(
    (a, b) => compare(a.stageId, b.stageId) || compare(a.imageId, b.imageId) || compare(a.target, b.target),
  );
  await tx
    .insert(items)
    .values(rows)
    .onConflictDoUpdate({
      target: [items.stageId, items.imageId, items.target],
      set: { state: 'open', priority: sql`excluded.priority` },
      setWhere: sql`${items.state} = 'withdrawn' and ${items.answered} = 0`,
    });
  await askDeniedAgain(tx, rows);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

async function laterStages(tx: Transaction, { stageId, projectId }: Item) {
  const [cause] = await tx
    .select({ position: stages.position, policy: projects.policy })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .where(eq(stages.id, stageId));
  if (!cause) throw new Error('An item has a stage and a project.');
  const later = await tx
    .select({ id: stages.id, kind: stages.kind, policy: stages.policy })
    .from(stages)
    .where(and(eq(stages.projectId, projectId), gt(stages.position, cause.position)));
  return later.map((stage) => ({ ...stage, overlap: effectivePolicy(cause.policy, stage.policy).overlap }));
}

async function classNamesOf(tx: Transaction, causes: readonly Cause[]) {
  const ids = causes.map(({ item }) => item.imageId);
  const found = await tx
    .select({ id: images.id, className: images.className })
    .from(images)
    .where(inArray(images.id, ids));
  return new Map(found.map((image) => [image.id, image.className]));
}

async function schemasOf(tx: Transaction, causes: readonly Cause[]) {
  const ids = [...new Set(causes.map(({ item }) => item.schemaVersionId))];
  const found = await tx
    .select({ id: schemaVersions.id, document: schemaVersions.document })
    .from(schemaVersions)
    .where(inArray(schemaVersions.id, ids));
  return new Map(found.map((version) => [version.id, version.document]));
}

/** Somebody found nothing to draw, and now the attribute is claimed anew: somebody else has another look. */
async function askDeniedAgain(
  tx: Transaction,
  rows: readonly { stageId: string; imageId: string; target: string }[],
): Promise<void> {
  const asked = rows.filter((row) => row.target !== '');
  await tx.execute(sql`
    with denied as (
      update ${labels} old set is_current = false
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as q("stageId" uuid, "imageId" uuid, target text)
      join ${items} i on i.stage_id = q."stageId" and i.image_id = q."imageId" and i.target = q.target
      where old.item_id = i.id and old.is_current and old.provenance ? 'falsePositive' and i.state = 'settled'
      returning i.id
    )
    update ${items} set state = 'open', overlap = answered + 1 where id in (select id from denied)`);
}
