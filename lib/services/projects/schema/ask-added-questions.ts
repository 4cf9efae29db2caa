import { and, eq, ne, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { AttributeChoices } from '@/lib/core/schema';
import { writeQuestions } from '@/lib/services/crowd/work/ask-first-questions';
import type { Question } from '@/lib/services/crowd/work/change-following';
import { effectivePolicy } from '@/lib/services/crowd/work/effective-policy';
import type { Report, SchemaStep } from './apply-schema-change';
import { addedQuestions, asksNoMore } from './expected-questions';

const { images, items, labels, projects, schemaVersions, stages } = tables;

const PAGE = 500;

type Known = { id: string; className: string | null; choices: AttributeChoices | null };

/** Makes the items that the new schema asks for and the old one did not, on images that were asked about before. */
export async function askAddedQuestions(db: Db, step: SchemaStep, report: Report): Promise<void> {
  const asking = await stagesOf(db, step);
  if (asksNoMore(step.next, step.old) && !asking.some(({ isNew }) => isNew)) return;
  const both = { old: asking.filter(({ isNew }) => !isNew), next: asking };
  // Few classes and few different forms stand behind many images.
  const known = new Map<string, Question[]>();
  const questionsFor = ({ className, choices }: Known): Question[] => {
    const key = JSON.stringify([className, choices]);
    const found = known.get(key) ?? addedQuestions(step.old, step.next, both, className, choices);
    known.set(key, found);
    return found;
  };
  let done = 0;
  for (let page = await imagesAfter(db, step.projectId, null); page.length > 0; ) {
    const rows = page.flatMap((image) =>
      questionsFor(image).map((question) => ({
        ...question,
        projectId: step.projectId,
        imageId: image.id,
        schemaVersionId: step.versionId,
        overlap: asking.find((stage) => stage.id === question.stageId)?.overlap ?? 1,
      })),
    );
    await writeQuestions(db, rows, { reopens: true });
    done += page.length;
    await report(done, 'Images looked at');
    page = await imagesAfter(db, step.projectId, page.at(-1)?.id ?? null);
  }
}

async function stagesOf(db: Db, { projectId, versionId }: SchemaStep) {
  const rows = await db
    .select({
      id: stages.id,
      kind: stages.kind,
      own: stages.policy,
      project: projects.policy,
      // Made with the version, in its transaction.
      isNew: sql<boolean>`${stages.createdAt} >= ${schemaVersions.createdAt}`,
    })
    .from(stages)
    .innerJoin(projects, eq(projects.id, stages.projectId))
    .innerJoin(schemaVersions, eq(schemaVersions.id, versionId))
    .where(and(eq(stages.projectId, projectId), eq(stages.asks, 'images'), ne(stages.state, 'closed')));
  return rows.map(({ own, project, ...stage }) => ({
    ...stage,
    overlap: effectivePolicy(project, own).overlap,
  }));
}

async function imagesAfter(db: Db, projectId: string, after: string | null): Promise<Known[]> {
  const found = await db.execute<Known>(sql`
    select image.id, image.class_name as "className", (
      select l.value->'choices' from ${items} i
      join ${stages} s on s.id = i.stage_id and s.kind = 'attributes'
      join ${labels} l on l.item_id = i.id and l.is_current
      where i.image_id = image.id limit 1) as choices
    from ${images} image
    where image.project_id = ${projectId} and image.state = 'active'
      and exists (select 1 from ${items} i where i.image_id = image.id)
      and (${after}::uuid is null or image.id > ${after}::uuid)
    order by image.id limit ${PAGE}`);
  return found.rows;
}
