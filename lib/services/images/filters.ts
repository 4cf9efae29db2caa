import { and, asc, eq, ne, sql } from 'drizzle-orm';
import { type Db, newId, tables } from '@/db';
import { conflict, invalid, notFound } from '@/lib/core/errors';
import { ImageFilter, isFiltered } from './image-filter';
import { readProjectSchema } from './ingest/project-schema';
import { listSlices } from './slices';

const { savedFilters } = tables;

/** A person keeps as many as a menu can show. */
const MAX_FILTERS = 50;

export interface SavedFilter {
  id: string;
  name: string;
  filter: ImageFilter;
}

interface Owner {
  projectId: string;
  ownerId: string;
}

const owned = ({ projectId, ownerId }: Owner) =>
  and(eq(savedFilters.projectId, projectId), eq(savedFilters.ownerId, ownerId));

/** The filters that a person saved in a project. What an older version saved and nobody understands is left out. */
export async function listFilters(db: Db, owner: Owner): Promise<SavedFilter[]> {
  const rows = await db
    .select()
    .from(savedFilters)
    .where(owned(owner))
    .orderBy(asc(savedFilters.name))
    .limit(MAX_FILTERS);
  return rows.flatMap(({ id, name, document }) => {
    const parsed = ImageFilter.safeParse(document);
    return parsed.success ? [{ id, name, filter: parsed.data }] : [];
  });
}

/** Saves a filter; one of the same name is replaced. */
export async function saveFilter(
  db: Db,
  owner: Owner,
  { name, filter }: { name: string; filter: ImageFilter },
): Promise<SavedFilter> {
  if (!isFiltered(filter)) throw invalid('The filter is empty. Set a condition, then save it.');
  // The one that is replaced does not count: after this there are as many as before.
  const [counted] = await db
    .select({ n: sql<number>`count(*)::int` })
    .from(savedFilters)
    .where(and(owned(owner), ne(savedFilters.name, name)));
  if ((counted?.n ?? 0) >= MAX_FILTERS)
    throw conflict(`You have ${MAX_FILTERS} saved filters, the maximum. Delete one first.`);
  const [row] = await db
    .insert(savedFilters)
    .values({ id: newId(), ...owner, name, document: filter })
    .onConflictDoUpdate({
      target: [savedFilters.projectId, savedFilters.ownerId, savedFilters.name],
      set: { document: filter },
    })
    .returning({ id: savedFilters.id });
  return { id: row?.id as string, name, filter };
}

export async function renameFilter(db: Db, owner: Owner, input: { id: string; name: string }): Promise<void> {
  const [taken] = await db
    .select({ id: savedFilters.id })
    .from(savedFilters)
    .where(and(owned(owner), eq(savedFilters.name, input.name)));
  if (taken && taken.id !== input.id)
    throw conflict(`You already have a filter called "${input.name}". Choose another name.`);
  const changed = await db
    .update(savedFilters)
    .set({ name: input.name })
    .where(and(owned(owner), eq(savedFilters.id, input.id)))
    .returning({ id: savedFilters.id });
  if (changed.length === 0) throw notFound('saved filter');
}

export async function deleteFilter(db: Db, owner: Owner, id: string): Promise<void> {
  const gone = await db
    .delete(savedFilters)
    .where(and(owned(owner), eq(savedFilters.id, id)))
    .returning({ id: savedFilters.id });
  if (gone.length === 0) throw notFound('saved filter');
}

const { memberships, users } = tables;

/** Workers that a list of choices can show; others are found through their own page. */
const MAX_WORKERS = 300;

/** What can be chosen in a filter, and how many images each class has. Four statements. */
export async function listFilterChoices(db: Db, input: { projectId: string; withWorkers: boolean }) {
  const [classes, schema, slices, workers] = await Promise.all([
    countByClass(db, input.projectId),
    readProjectSchema(db, input.projectId),
    listSlices(db, { projectId: input.projectId }),
    input.withWorkers
      ? db
          .select({ id: users.id, name: users.name })
          .from(memberships)
          .innerJoin(users, eq(users.id, memberships.userId))
          .where(and(eq(memberships.projectId, input.projectId), eq(memberships.role, 'worker')))
          .orderBy(asc(users.name), asc(users.id))
          .limit(MAX_WORKERS)
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

export type FilterChoices = Awaited<ReturnType<typeof listFilterChoices>>;

const { images } = tables;

export async function countByClass(db: Db, projectId: string) {
  return db
    .select({ className: images.className, count: sql<number>`count(*)::int` })
    .from(images)
    .where(and(eq(images.projectId, projectId), ne(images.state, 'derived')))
    .groupBy(images.className)
    .orderBy(images.className);
}
