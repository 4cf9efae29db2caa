import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { AnswerValue } from '@/lib/core/quality/answer';
import type { DatasetSchema } from '@/lib/core/schema';
import { isSetAside } from '@/lib/services/crowd/work/is-set-aside';
import type { Report, SchemaStep } from './apply-schema-change';
import { formSchemas, isAnswered } from './form-schemas';
import { decide } from './set-targets-aside';

const { answers, checks, gold, items, labels, leases, stages } = tables;

const PAGE = 500;

type Form = { id: string; schemaVersionId: string; value: unknown };

/**
 * Forms that say too little under the new schema are asked again, of others: their answers were to another
 * question and no longer count, and stay paid. The label stays current until the new one is made.
 */
export async function reopenForms(db: Db, step: SchemaStep, report: Report): Promise<void> {
  const schemas = await formSchemas(db, step.projectId);
  let done = 0;
  for (let page = await formsAfter(db, step, null); page.length > 0; ) {
    const again = page.filter((form) => !says(schemas, form, step.next)).map(({ id }) => id);
    if (again.length > 0) await reopen(db, step, again);
    done += page.length;
    await report(done, 'Forms looked at');
    page = await formsAfter(db, step, page.at(-1)?.id ?? null);
  }
}

function says(
  schemas: ReadonlyMap<string, DatasetSchema>,
  { schemaVersionId, value: stored }: Form,
  next: DatasetSchema,
): boolean {
  const value = AnswerValue.safeParse(stored).data;
  return (
    value?.kind === 'attributes' && isAnswered(schemas, { schemaVersionId, choices: value.choices }, next)
  );
}

/** Of an item `i` that is a form, and its current label `l`: what it says. An open one may have an older label. */
export const saidBy = sql`case when i.state = 'settled' then l.value else (
  select a.value from ${answers} a join ${leases} lease on lease.id = a.lease_id
  where a.item_id = i.id and not ${isSetAside} and not exists (select 1 from ${checks} c where c.lease_id = lease.id)
  order by a.created_at desc limit 1) end`;

/** Of an item `i`: a settled form, or an open one with an answer that counts; no gold, which is carried over. */
export const isFilledIn = sql`(i.state = 'settled' or (i.state = 'open' and i.answered > 0))
  and not exists (select 1 from ${gold} g where g.item_id = i.id and g.state <> 'excluded')`;

async function formsAfter(db: Db, step: SchemaStep, after: string | null): Promise<Form[]> {
  const found = await db.execute<Form>(sql`
    select i.id, i.schema_version_id as "schemaVersionId", ${saidBy} as value
    from ${items} i
    join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
    left join ${labels} l on l.item_id = i.id and l.is_current
    where i.project_id = ${step.projectId} and i.schema_version_id <> ${step.versionId}
      and i.leased = 0 and ${isFilledIn}
      and (${after}::uuid is null or i.id > ${after}::uuid)
    order by i.id limit ${PAGE}`);
  return found.rows;
}

async function reopen(db: Db, step: SchemaStep, ids: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      select id from ${items} where id = any (${sql.param(ids)}::uuid[]) order by id for no key update`);
    const counted = await tx.execute<{ id: string }>(sql`
      select a.id from ${answers} a join ${leases} l on l.id = a.lease_id
      where a.item_id = any (${sql.param(ids)}::uuid[])
        and not exists (select 1 from ${checks} c where c.lease_id = l.id)
        and not ${isSetAside}`);
    const reason = `Version ${step.number} of the schema asks a new question. The answer is kept and paid.`;
    await decide(tx, step, 'answer', counted.rows, 'set-aside', reason);
    await tx.execute(sql`
      update ${items} set state = 'open', answered = 0, schema_version_id = ${step.versionId}
      where id = any (${sql.param(ids)}::uuid[])`);
  });
}
