import { sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { type AttributeChoices, type DatasetSchema, stillAnswers } from '@/lib/core/schema';

const { items, schemaVersions, stages } = tables;

/** The schemas that the forms of a project were filled in under, by the id of their version. */
export async function formSchemas(db: Db, projectId: string): Promise<ReadonlyMap<string, DatasetSchema>> {
  const found = await db.execute<{ id: string; document: DatasetSchema }>(sql`
    select v.id, v.document from ${schemaVersions} v
    where v.project_id = ${projectId} and exists (
      select 1 from ${items} i join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
      where i.project_id = ${projectId} and i.schema_version_id = v.id)`);
  return new Map(found.rows.map(({ id, document }) => [id, document]));
}

/**
 * Whether a form still answers everything that a schema asks. It is compared with what the form itself asked, not
 * with the version before: one that was left as it is at a change of the schema is as old at the next.
 */
export function isAnswered(
  schemas: ReadonlyMap<string, DatasetSchema>,
  form: { schemaVersionId: string; choices: AttributeChoices },
  next: DatasetSchema,
): boolean {
  const own = schemas.get(form.schemaVersionId);
  return own !== undefined && stillAnswers(own, next, form.choices);
}
