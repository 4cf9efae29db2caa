import { and, eq, gt, inArray, lte, ne, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Db, tables } from '@/db';
import { signBlobUrl } from '@/lib/services/storage';
import type { ImageFilter } from './image-filter';
import { matchingImages } from './matching-images';

const { derivatives, images } = tables;

interface ListImages extends ImageFilter {
  projectId: string;
  /** The last id of the page before. */
  after?: string;
  /** The last id of this page, for who knows where it ends: images that went away are not made up for. */
  until?: string;
  limit?: number;
}

export interface ListedImage {
  id: string;
  name: string;
  className: string | null;
  groupKey: string | null;
  width: number;
  height: number;
  state: 'active' | 'excluded' | 'broken';
  notes: string[];
  createdAt: Date;
  lookalikeOf: string | null;
  /** How many of its questions have a label. */
  labels: number;
  /** Null until the job has made it. */
  thumbnail: { url: string; width: number; height: number } | null;
}

interface ImageRows {
  images: ListedImage[];
  next: string | null;
}

interface ImagePage extends ImageRows {
  total: number;
  /** The total stops counting here: "10,000 or more". */
  isTotalCapped: boolean;
}

const MAX_COUNTED = 10_000;
const thumbnails = alias(derivatives, 'thumbnails');

/** A page of images with signed thumbnails, in the order they came. Two statements, whatever the page. */
export async function listImages(db: Db, input: ListImages): Promise<ImagePage> {
  const page = await readImages(db, input);
  const filter = matchingImages(input.projectId, input);
  const counted = db.select({ id: images.id }).from(images).where(filter).limit(MAX_COUNTED).as('counted');
  const [total] = await db.select({ n: sql<number>`count(*)::int` }).from(counted);
  return { ...page, total: total?.n ?? 0, isTotalCapped: total?.n === MAX_COUNTED };
}

/** The same without the count, in one statement: for who pages through a list whose length is known. */
export async function readImages(db: Db, input: ListImages): Promise<ImageRows> {
  const limit = input.limit ?? 60;
  const rows = await selectImages(
    db,
    and(
      matchingImages(input.projectId, input),
      input.after ? gt(images.id, input.after) : undefined,
      input.until ? lte(images.id, input.until) : undefined,
    ),
    limit + 1,
  );
  const page = rows.slice(0, limit);
  return { images: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

/** Images by any condition, in the order they came. */
export async function selectImages(db: Db, where: SQL | undefined, limit: number): Promise<ListedImage[]> {
  const rows = await imagesQuery(db, where, limit);
  return rows.map(({ thumbnail, ...image }) => ({
    ...image,
    thumbnail: thumbnail && {
      url: signBlobUrl(thumbnail.blob),
      width: thumbnail.width,
      height: thumbnail.height,
    },
  }));
}

/**
 * By itself, so that a test can look at its plan. The page is cut before anything is joined to it: a planner that is
 * free to join first reads the thumbnails of all images before the page.
 */
export function imagesQuery(db: Db, where: SQL | undefined, limit: number) {
  const page = db
    .select({
      id: images.id,
      name: images.name,
      className: images.className,
      groupKey: images.groupKey,
      width: images.width,
      height: images.height,
      // The pictures of evaluations are in no list.
      state: sql<ListedImage['state']>`${images.state}`.as('state'),
      notes: images.notes,
      createdAt: images.createdAt,
      lookalikeOf: images.lookalikeOf,
    })
    .from(images)
    .where(where)
    .orderBy(images.id)
    .limit(limit)
    .as('page');
  return db
    .select({
      id: page.id,
      name: page.name,
      className: page.className,
      groupKey: page.groupKey,
      width: page.width,
      height: page.height,
      state: page.state,
      notes: page.notes,
      createdAt: page.createdAt,
      lookalikeOf: page.lookalikeOf,
      labels: sql<number>`(select count(*)::int from ${tables.labels} l
        where l.image_id = ${page.id} and l.is_current)`,
      thumbnail: { blob: thumbnails.blob, width: thumbnails.width, height: thumbnails.height },
    })
    .from(page)
    .leftJoin(thumbnails, and(eq(thumbnails.imageId, page.id), eq(thumbnails.kind, 'thumbnail')))
    .orderBy(page.id);
}

/** Images in one page of the grid: what one request brings. */
export const pageSize = 200;

interface PageEnds {
  total: number;
  size: number;
  /** The last id of every full page, in order: page n lies after `ends[n - 1]` and reaches to `ends[n]`. */
  ends: string[];
}

/**
 * How long a list is and where each of its pages lies. With this a reader who drags the scroll bar to the middle
 * gets that page by its key, as quickly as the first one, and the bar has its true length from the start. One
 * statement that reads the ids of the list once, in order.
 */
export async function listPageEnds(
  db: Db,
  input: { projectId: string; filter: ImageFilter },
): Promise<PageEnds> {
  const numbered = db
    .select({ id: images.id, n: sql<number>`row_number() over (order by ${images.id})`.as('n') })
    .from(images)
    .where(matchingImages(input.projectId, input.filter))
    .as('numbered');
  const [row] = await db
    .select({
      total: sql<number>`count(*)::int`,
      ends: sql<string[]>`coalesce(array_agg(${numbered.id} order by ${numbered.n})
        filter (where ${numbered.n} % ${sql.raw(String(pageSize))} = 0), '{}')`,
    })
    .from(numbered);
  return { total: row?.total ?? 0, size: pageSize, ends: row?.ends ?? [] };
}

/** A page of images that were picked one by one. */
export async function streamSelectedImages(
  db: Db,
  input: { projectId: string; ids: readonly string[]; after?: string; limit: number },
): Promise<ImageRows> {
  const rows = await selectImages(
    db,
    and(
      eq(images.projectId, input.projectId),
      ne(images.state, 'derived'),
      inArray(images.id, [...input.ids]),
      input.after ? gt(images.id, input.after) : undefined,
    ),
    input.limit + 1,
  );
  const page = rows.slice(0, input.limit);
  return { images: page, next: rows.length > input.limit ? (page.at(-1)?.id ?? null) : null };
}
