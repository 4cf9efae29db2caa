import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import { type Db, newId, type Transaction, tables } from '@/db';
import { firstQuestions, type Question } from './change-following';
import { effectivePolicy } from './effective-policy';

const { gold, images, items, projects, schemaVersions, stages } = tables;

/** Images looked at in one go: few enough that nobody waits long for one of them. */
const PAGE = 200;

/**
 * Makes the first items of every image of a project that has none: when the project begins to collect, and
 * when images arrive while it does.
 */
export async function askFirstQuestions(tx: Transaction, input: { projectId: string }): Promise<void> {
  for (let after: string | null = null; ; ) {
    const page = await askSomeFirstQuestions(tx, { ...input, after });
    if (page === null) return;
    after = page.last;
  }
}

/** The same for some images after one of them; null when there are none left. */
export async function askSomeFirstQuestions(
  tx: Transaction,
  { projectId, after }: { projectId: string; after: string | null },
): Promise<{ images: number; last: string } | null> {
  // Shared: whoever saves a schema waits for what is asked by the old one, or this waits and asks by the new.
  await tx.select({ id: projects.id }).from(projects).where(eq(projects.id, projectId)).for('share');
  const [project] = await tx
    .select({ policy: projects.policy, schemaVersionId: schemaVersions.id, schema: schemaVersions.document })
    .from(projects)
    .innerJoin(schemaVersions, eq(schemaVersions.id, projects.schemaVersionId))
    .where(eq(projects.id, projectId));
  if (!project) return null;
  const { policy, schema, schemaVersionId } = project;
  // A closed stage asks nobody.
  const asked = await tx
    .select()
    .from(stages)
    .where(and(eq(stages.projectId, projectId), eq(stages.asks, 'images'), ne(stages.state, 'closed')));
  const overlap = new Map(asked.map((stage) => [stage.id, effectivePolicy(policy, stage.policy).overlap]));
  const page = await nextImages(tx, projectId, after);
  const rows = page.flatMap(({ id: imageId, className }) =>
    firstQuestions(schema, asked, className).map((question) => ({
      ...question,
      projectId,
      imageId,
      schemaVersionId,
      overlap: overlap.get(question.stageId) ?? 1,
    })),
  );
  await writeQuestions(tx, rows, { reopens: false });
  const last = page.at(-1)?.id;
  return last ? { images: page.length, last } : null;
}

/** Held, so that the class by which an image is asked about is the one that it has: whoever gives it another waits. */
const nextImages = (tx: Transaction, projectId: string, after: string | null) =>
  tx
    .select({ id: images.id, className: images.className })
    .from(images)
    .where(
      and(
        eq(images.projectId, projectId),
        eq(images.state, 'active'),
        after ? gt(images.id, after) : undefined,
        // Gold that was written before the collecting began is no question to anybody yet.
        sql`not exists (select 1 from ${items} where ${items.imageId} = ${images.id}
          and not exists (select 1 from ${gold} where ${gold.itemId} = ${items.id}))`,
      ),
    )
    .orderBy(asc(images.id))
    .limit(PAGE)
    .for('key share', { of: images });

interface NewQuestion extends Question {
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
