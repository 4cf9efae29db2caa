import { sql } from 'drizzle-orm';
import { newId, type Transaction, tables } from '@/db';
import type { SchemaStep } from './apply-schema-change';
import { drawnTargets, drawsNoMore } from './expected-questions';
import { isAsked, setAsideBySchema } from './schema-effects';

const { decisions, gold, images, items, labels, stages } = tables;

const ROWS_PER_INSERT = 10_000;
const rule = 'schema-change';

/**
 * Masks of targets that the schema no longer has: they stay on record, are not current, and nobody is asked for
 * them. Those that an earlier change set aside and this one asks for again come back.
 */
export async function setTargetsAside(tx: Transaction, step: SchemaStep): Promise<void> {
  const { projectId, number } = step;
  if (drawsNoMore(step.next, step.old) && drawsNoMore(step.old, step.next)) return;
  const { everywhere, onClass } = drawnTargets(step.next);
  const drawn = isAsked(everywhere, onClass);
  const asked = sql`
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'part-mask'
    join ${images} image on image.id = i.image_id
    where i.project_id = ${projectId}`;
  await tx.execute(sql`
    select i.id ${asked} and (i.state = 'withdrawn') = ${drawn} order by i.id for no key update of i`);

  const aside = await tx.execute<{ id: string }>(sql`
    update ${labels} set is_current = false
    where is_current and item_id in (select i.id ${asked} and i.state <> 'withdrawn' and not ${drawn})
    returning id`);
  await decide(
    tx,
    step,
    'label',
    aside.rows,
    'set-aside',
    `Version ${number} of the schema does not ask for it.`,
  );
  const unused = await tx.execute<{ id: string }>(sql`
    update ${gold} set state = 'excluded'
    where state <> 'excluded' and item_id in (select i.id ${asked} and not ${drawn})
    returning id`);
  await decide(
    tx,
    step,
    'gold',
    unused.rows,
    'excluded',
    `Version ${number} of the schema does not ask for it.`,
  );
  await tx.execute(sql`
    update ${items} set state = 'withdrawn'
    where id in (select i.id ${asked} and i.state <> 'withdrawn' and not ${drawn})`);

  const back = await tx.execute<{ id: string; itemId: string }>(sql`
    update ${labels} set is_current = true
    where id in (
      select distinct on (i.id) l.id
      from ${items} i
      join ${stages} s on s.id = i.stage_id and s.kind = 'part-mask'
      join ${images} image on image.id = i.image_id
      join ${labels} l on l.image_id = i.image_id and l.item_id = i.id
      join ${decisions} d on d.subject = 'label' and d.subject_id = l.id and d.rule = ${rule}
      where i.project_id = ${projectId} and ${setAsideBySchema} and ${drawn}
      order by i.id, d.id desc)
    returning id, item_id as "itemId"`);
  await decide(
    tx,
    step,
    'label',
    back.rows,
    'restored',
    `Version ${number} of the schema asks for it again.`,
  );
  await tx.execute(sql`
    update ${items} set state = 'settled'
    where id = any (${sql.param(back.rows.map((row) => row.itemId))}::uuid[])`);
}

/** A rule decided: the reason is what anybody who asks is told. */
export async function decide(
  tx: Transaction,
  { projectId, number }: SchemaStep,
  subject: 'label' | 'gold' | 'answer',
  about: readonly { id: string }[],
  verdict: string,
  reason: string,
): Promise<void> {
  // As two parameters, however many: a change of the schema may set a hundred thousand labels aside.
  for (let from = 0; from < about.length; from += ROWS_PER_INSERT) {
    const subjects = about.slice(from, from + ROWS_PER_INSERT).map(({ id }) => id);
    await tx.execute(sql`
      insert into ${decisions} (id, project_id, subject, subject_id, verdict, reason, rule, rule_version)
      select id, ${projectId}, ${subject}, subject_id, ${verdict}, ${reason}, ${rule}, ${number}::int
      from unnest(${sql.param(subjects.map(() => newId()))}::uuid[], ${sql.param(subjects)}::uuid[])
        as made(id, subject_id)`);
  }
}
