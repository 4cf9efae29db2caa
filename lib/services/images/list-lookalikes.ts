import { and, asc, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import { type Database, type Db, tables } from '@/db';
import type { Actor } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { type Changed, changeImages } from './change-images';
import { MAX_PICKED } from './image-change';
import { type ListedImage, selectImages } from './list-images';

const { images, jobs } = tables;

/** Images of one group that are shown; the grid has the rest. */
const MAX_SHOWN = 24;

export interface LookalikeGroup {
  id: string;
  size: number;
  /** Of its images that are in use; a group is settled when one is left. */
  active: number;
  images: ListedImage[];
}

interface Lookalikes {
  groups: LookalikeGroup[];
  next: string | null;
  /** Groups in which more than one image is in use. */
  open: number;
}

/** Groups of images that look alike, those with more than one image in use. Three statements, whatever the page. */
export async function listLookalikes(
  db: Db,
  input: { projectId: string; after?: string; limit?: number },
): Promise<Lookalikes> {
  const limit = input.limit ?? 20;
  const active = sql<number>`(count(*) filter (where ${images.state} = 'active'))::int`;
  const grouped = db
    .select({
      id: images.lookalikeOf,
      size: sql<number>`count(*)::int`.as('size'),
      active: active.as('active'),
    })
    .from(images)
    .where(and(eq(images.projectId, input.projectId), sql`${images.lookalikeOf} is not null`))
    .groupBy(images.lookalikeOf)
    .having(sql`count(*) filter (where ${images.state} = 'active') > 1`)
    .as('grouped');
  const [[counted], rows] = await Promise.all([
    db.select({ n: sql<number>`count(*)::int` }).from(grouped),
    db
      .select()
      .from(grouped)
      .where(input.after ? gt(grouped.id, input.after) : undefined)
      .orderBy(asc(grouped.id))
      .limit(limit + 1),
  ]);
  const page = rows.slice(0, limit);
  const members = await membersOf(
    db,
    input.projectId,
    page.map((row) => row.id as string),
  );
  return {
    groups: page.map(({ id, size, active }) => ({
      id: id as string,
      size,
      active,
      images: members.filter((image) => image.lookalikeOf === id),
    })),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    open: counted?.n ?? 0,
  };
}

/** The first few of each group, so that a group of thousands does not fill the page. */
async function membersOf(db: Db, projectId: string, groups: string[]): Promise<ListedImage[]> {
  if (groups.length === 0) return [];
  const numbered = db
    .select({
      id: images.id,
      n: sql<number>`row_number() over (partition by ${images.lookalikeOf} order by ${images.id})`.as('n'),
    })
    .from(images)
    .where(and(eq(images.projectId, projectId), inArray(images.lookalikeOf, groups)))
    .as('numbered');
  const shown = db.select({ id: numbered.id }).from(numbered).where(sql`${numbered.n} <= ${MAX_SHOWN}`);
  return selectImages(db, inArray(images.id, shown), groups.length * MAX_SHOWN);
}

/** When the images were last compared, and with what outcome; null when nobody asked yet. */
export async function lastComparison(db: Db, projectId: string) {
  const [job] = await db
    .select({ id: jobs.id, state: jobs.state, finishedAt: jobs.finishedAt, result: jobs.result })
    .from(jobs)
    .where(and(eq(jobs.projectId, projectId), eq(jobs.kind, 'find-lookalikes')))
    .orderBy(sql`${jobs.id} desc`)
    .limit(1);
  return job ?? null;
}

/** Of a group of images that look alike, one stays in use and the others are excluded. */
export async function keepLookalike(
  db: Database,
  actor: Actor,
  input: { projectId: string; imageId: string },
): Promise<Changed> {
  const { projectId, imageId } = input;
  const [kept] = await db
    .select({ name: images.name, state: images.state, group: images.lookalikeOf })
    .from(images)
    .where(and(eq(images.id, imageId), eq(images.projectId, projectId)));
  if (!kept?.group) throw notFound('image in a group of lookalikes');
  if (kept.state !== 'active')
    throw conflict(`${kept.name} is ${kept.state}: restore it first, or keep another one.`);
  const others = await db
    .select({ id: images.id })
    .from(images)
    .where(
      and(
        eq(images.projectId, projectId),
        eq(images.lookalikeOf, kept.group),
        eq(images.state, 'active'),
        ne(images.id, imageId),
      ),
    )
    .orderBy(images.id)
    .limit(MAX_PICKED);
  if (others.length === 0) throw conflict('This is already the only image of its group in use.');
  return changeImages(db, actor, {
    projectId,
    scope: { ids: others.map((image) => image.id) },
    change: { kind: 'state', state: 'excluded', reason: `Looks like ${kept.name}, which was kept.` },
  });
}
