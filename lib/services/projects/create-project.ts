import { eq } from 'drizzle-orm';
import { type Database, newId, type Transaction, tables } from '@/db';
import { type Actor, actorId } from '@/lib/core/actor';
import { conflict, invalid } from '@/lib/core/errors';
import type { DatasetSchema } from '@/lib/core/schema';
import { schemaPreset } from '@/lib/core/schema/presets';
import { record } from '@/lib/services/activity';
import { addFirstText } from '@/lib/services/crowd/consent/texts';
import { defaultStages } from './default-stages';
import { isSlug, slugFrom } from './slug';

const { memberships, projects, schemaVersions, stages } = tables;

export interface NewProject {
  name: string;
  /** Made from the name when it is not given. */
  slug?: string;
  description?: string;
  /** Id of a schema preset. Ignored if there is a schema. */
  preset?: string;
  schema?: DatasetSchema;
  /** Where the project differs from the default policy; the consent text tells of it. */
  policy?: Record<string, unknown>;
  isDemo?: boolean;
}

/** A draft with version 1 of its schema and of its consent text, and its stages. Its creator becomes its curator. */
export async function createProject(db: Database, actor: Actor, input: NewProject) {
  const schema = input.schema ?? schemaPreset(input.preset ?? '');
  if (!schema) throw invalid(`There is no schema preset "${input.preset}".`);
  const slug = input.slug ?? slugFrom(input.name);
  if (!isSlug(slug)) throw invalid('Give the project an address of letters a-z, digits and hyphens.');
  return db.transaction(async (tx) => {
    const projectId = await insertProject(tx, actor, slug, input);
    const project = await giveSchema(tx, actor, projectId, schema);
    const questions = defaultStages(schema);
    await tx.insert(stages).values(questions.map((stage, position) => ({ ...stage, projectId, position })));
    await addFirstText(tx, projectId, actorId(actor));
    if (actor.kind === 'user') {
      await tx.insert(memberships).values({ projectId, userId: actor.userId, role: 'curator' });
    }
    await record(tx, {
      actor,
      verb: 'project.create',
      subject: 'project',
      subjectId: projectId,
      projectId,
      detail: { slug, name: input.name, preset: input.preset ?? null },
    });
    return project;
  });
}

async function insertProject(tx: Transaction, actor: Actor, slug: string, input: NewProject) {
  const [row] = await tx
    .insert(projects)
    .values({
      id: newId(),
      slug,
      name: input.name,
      description: input.description ?? '',
      policy: input.policy ?? {},
      isDemo: input.isDemo ?? false,
      createdBy: actorId(actor),
    })
    .onConflictDoNothing({ target: projects.slug })
    .returning({ id: projects.id });
  // The address was derived from the name, so the user cannot choose another one.
  if (!row) throw conflict(`The address "${slug}" is taken: choose another${input.slug ? '' : ' name'}.`);
  return row.id;
}

async function giveSchema(tx: Transaction, actor: Actor, projectId: string, document: DatasetSchema) {
  const schemaVersionId = newId();
  await tx
    .insert(schemaVersions)
    .values({ id: schemaVersionId, projectId, number: 1, document, createdBy: actorId(actor) });
  const [project] = await tx
    .update(projects)
    .set({ schemaVersionId })
    .where(eq(projects.id, projectId))
    .returning();
  return project as typeof projects.$inferSelect;
}
