import { sql } from 'drizzle-orm';
import { type Db, newId, tables } from '@/db';
import type { Question } from './following-questions';

const { items } = tables;

export interface NewQuestion extends Question {
  projectId: string;
  imageId: string;
  schemaVersionId: string;
  overlap: number;
  priority?: number;
}

/**
 * Makes items, however many, as one parameter of one statement, and in one order for everybody who writes the same
 * questions at once. What is asked already stays as it is, or is asked again where it was withdrawn.
 */
export async function writeQuestions(
  db: Db,
  rows: readonly NewQuestion[],
  { reopens }: { reopens: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  const list = rows.map((row) => ({ id: newId(), priority: 0, ...row })).sort(byPlace);
  // Whoever is still at it keeps the words they see, and their answer counts.
  const again = sql`(stage_id, image_id, target) do update set state = 'open',
      schema_version_id = case when ${items.leased} = 0
        then excluded.schema_version_id else ${items.schemaVersionId} end,
      overlap = greatest(${items.overlap}, ${items.answered} + 1)
    where ${items.state} = 'withdrawn'`;
  await db.execute(sql`
    insert into ${items} (id, project_id, stage_id, image_id, schema_version_id, target, overlap, priority)
    select id, "projectId", "stageId", "imageId", "schemaVersionId", target, overlap, priority
    from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as q(id uuid, "projectId" uuid, "stageId" uuid,
      "imageId" uuid, "schemaVersionId" uuid, target text, overlap int, priority int)
    on conflict ${reopens ? again : sql`do nothing`}`);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

const byPlace = (a: NewQuestion, b: NewQuestion) =>
  compare(a.stageId, b.stageId) || compare(a.imageId, b.imageId) || compare(a.target, b.target);
