import { eq, sql } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { AnswerValue } from '@/lib/core/quality/answer';
import { carryChoices, stillAnswers } from '@/lib/core/schema';
import type { SchemaStep } from './apply-schema-change';
import { decide } from './set-targets-aside';

const { gold, images, items, stages } = tables;

type Row = { id: string; state: string; value: unknown };

/**
 * Gold of forms says the same under the new schema, or waits for a curator to complete it. What is excluded is carried
 * along, so that it can be restored under any later version.
 */
export async function carryGold(tx: Transaction, step: SchemaStep): Promise<void> {
  const found = await tx.execute<Row>(sql`
    select g.id, g.state, g.value from ${gold} g
    join ${items} i on i.id = g.item_id and i.schema_version_id <> ${step.versionId}
    join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
    where g.project_id = ${step.projectId}
    order by g.id for no key update of g`);
  const waiting: Row[] = [];
  for (const row of found.rows) {
    const value = AnswerValue.safeParse(row.value).data;
    if (value?.kind !== 'attributes') continue;
    const choices = carryChoices(step.old, step.next, value.choices);
    const isWhole = stillAnswers(step.old, step.next, value.choices);
    if (!isWhole) waiting.push(row);
    const waits = !isWhole && row.state !== 'excluded';
    await tx
      .update(gold)
      .set({ value: { kind: 'attributes', choices }, ...(waits && { state: 'candidate' as const }) })
      .where(eq(gold.id, row.id));
  }
  const reason = `Version ${step.number} of the schema asks for more than it says: complete it, then confirm it.`;
  await decide(tx, step, 'gold', waiting, 'candidate', reason);
  await reviewInstances(tx, step);
}

/**
 * Gold of a part or a class that can now have several instances was drawn as one: a curator has to tell them apart
 * first. The class of an object mask is that of the image.
 */
async function reviewInstances(tx: Transaction, step: SchemaStep): Promise<void> {
  const parts = newlyNumbered(step.old.parts, step.next.parts);
  const classes = newlyNumbered(step.old.classes, step.next.classes);
  if (parts.length + classes.length === 0) return;
  const waiting = await tx.execute<{ id: string }>(sql`
    update ${gold} set state = 'candidate'
    where id in (
      select g.id from ${gold} g
      join ${items} i on i.id = g.item_id and i.schema_version_id <> ${step.versionId}
      join ${stages} s on s.id = i.stage_id
      join ${images} m on m.id = i.image_id
      where g.project_id = ${step.projectId} and g.state = 'active' and g.mask is not null
        and not g.value ? 'instances'
        and (s.kind = 'part-mask' and split_part(i.target, '#', 1) = any (${sql.param(parts)}::text[])
          or s.kind = 'object-mask' and i.target = '' and m.class_name = any (${sql.param(classes)}::text[]))
      order by g.id for no key update of g)
    returning id`);
  const reason = `Version ${step.number} of the schema asks for every instance: draw them one by one, then confirm it.`;
  await decide(tx, step, 'gold', waiting.rows, 'candidate', reason);
}

type Numbered = { id: string; numbered?: boolean };

function newlyNumbered(old: readonly Numbered[], next: readonly Numbered[]): string[] {
  const before = new Set(old.flatMap(({ id, numbered }) => (numbered ? [] : [id])));
  return next.flatMap(({ id, numbered }) => (numbered && before.has(id) ? [id] : []));
}
