import { and, asc, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { countByClass } from './count-by-class';
import { projectSchema } from './ingest/project-schema';
import { listSlices } from './slices/list-slices';

const { memberships, users } = tables;

/** Workers that a list of choices can show; others are found through their own page. */
const mostWorkers = 300;

/** What can be chosen in a filter, and how many images each class has. Four statements. */
export async function filterChoices(db: Db, input: { projectId: string; withWorkers: boolean }) {
  const [classes, schema, slices, workers] = await Promise.all([
    countByClass(db, input.projectId),
    projectSchema(db, input.projectId),
    listSlices(db, { projectId: input.projectId }),
    input.withWorkers
      ? db
          .select({ id: users.id, name: users.name })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(and(eq(memberships.projectId, input.projectId), eq(memberships.role, 'worker')))
          .orderBy(asc(users.name), asc(users.id))
          .limit(mostWorkers)
      : [],
  ]);
  return {
    classes,
    schemaClasses: schema?.classes.map(({ id, name }) => ({ id, name })) ?? [],
    attributes: schema?.attributes.map(({ id, name }) => ({ id, name })) ?? [],
    /** What can have a mask. */
    targets: [
      ...(schema?.parts ?? []),
      ...(schema?.attributes.filter((attribute) => attribute.kind === 'localised') ?? []),
    ].map(({ id, name }) => ({ id, name })),
    workers,
    slices: slices.map(({ id, name }) => ({ id, name })),
  };
}

export type FilterChoices = Awaited<ReturnType<typeof filterChoices>>;
