import { and, eq, exists, gt, ilike, isNull, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { type Db, tables } from '@/db';
import { signBlobUrl } from '../storage';

const { images, derivatives, uploadFiles } = tables;

export interface ListImages {
  projectId: string;
  /** A class id, or null for images without a class. */
  className?: string | null;
  state?: 'active' | 'excluded' | 'broken';
  /** Part of the name, in any case. */
  text?: string;
  uploadId?: string;
  /** The last id of the page before. */
  after?: string;
  limit?: number;
}

export interface ListedImage {
  id: string;
  name: string;
  className: string | null;
  width: number;
  height: number;
  state: 'active' | 'excluded' | 'broken';
  notes: string[];
  createdAt: Date;
  /** Null until the job has made it. */
  thumbnail: { url: string; width: number; height: number } | null;
}

export interface ImagePage {
  images: ListedImage[];
  next: string | null;
  total: number;
  /** The total stops counting here: "10,000 or more". */
  isTotalCapped: boolean;
}

const mostCounted = 10_000;
const thumbnails = alias(derivatives, 'thumbnails');

/** A page of images with signed thumbnails, in the order they came. Two statements, whatever the page. */
export async function listImages(db: Db, input: ListImages): Promise<ImagePage> {
  const limit = input.limit ?? 60;
  const filter = filterOf(db, input);
  const rows = await db
    .select({
      id: images.id,
      name: images.name,
      className: images.className,
      width: images.width,
      height: images.height,
      state: images.state,
      notes: images.notes,
      createdAt: images.createdAt,
      thumbnail: { blob: thumbnails.blob, width: thumbnails.width, height: thumbnails.height },
    })
    .from(images)
    .leftJoin(thumbnails, and(eq(thumbnails.imageId, images.id), eq(thumbnails.kind, 'thumbnail')))
    .where(and(filter, input.after ? gt(images.id, input.after) : undefined))
    .orderBy(images.id)
    .limit(limit + 1);
  const counted = db.select({ id: images.id }).from(images).where(filter).limit(mostCounted).as('counted');
  const [total] = await db.select({ n: sql<number>`count(*)::int` }).from(counted);
  const page = rows.slice(0, limit).map(({ thumbnail, ...image }) => ({
    ...image,
    thumbnail: thumbnail && {
      url: signBlobUrl(thumbnail.blob),
      width: thumbnail.width,
      height: thumbnail.height,
    },
  }));
  return {
    images: page,
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    total: total?.n ?? 0,
    isTotalCapped: total?.n === mostCounted,
  };
}

function filterOf(db: Db, input: ListImages): SQL | undefined {
  const { className, text, uploadId } = input;
  return and(
    eq(images.projectId, input.projectId),
    className === undefined
      ? undefined
      : className === null
        ? isNull(images.className)
        : eq(images.className, className),
    input.state ? eq(images.state, input.state) : undefined,
    text ? ilike(images.name, `%${escapeLike(text)}%`) : undefined,
    uploadId
      ? exists(
          db
            .select({ one: sql`1` })
            .from(uploadFiles)
            .where(
              and(
                eq(uploadFiles.imageId, images.id),
                eq(uploadFiles.uploadId, uploadId),
                eq(uploadFiles.state, 'accepted'),
              ),
            ),
        )
      : undefined,
  );
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
