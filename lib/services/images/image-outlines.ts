import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { decodeCounts, outlinePath, scale } from '@/lib/core/mask';
import { partColour, readTarget } from '@/lib/core/schema';
import { readProjectSchema } from './ingest/project-schema';

const { images, labels } = tables;

/** Pixels of the longer side in which outlines are drawn: a thumbnail shows no more. */
const drawnSide = 160;

export interface ImageOutlines {
  imageId: string;
  /** The size that the paths count in. */
  width: number;
  height: number;
  outlines: { id: string; colour: string; path: string }[];
}

/**
 * The current masks of some images as small outlines, in the colours of the schema. Instances of one label are outlined
 * separately. Two statements.
 */
export async function readImageOutlines(
  db: Db,
  input: { projectId: string; imageIds: readonly string[] },
): Promise<ImageOutlines[]> {
  if (input.imageIds.length === 0) return [];
  const [schema, rows] = await Promise.all([
    readProjectSchema(db, input.projectId),
    db
      .select({
        id: labels.id,
        imageId: images.id,
        target: labels.target,
        mask: labels.mask,
        instances: sql<string[] | null>`${labels.value}->'instances'`,
        width: images.width,
        height: images.height,
      })
      .from(labels)
      .innerJoin(images, eq(images.id, labels.imageId))
      .where(
        and(
          inArray(labels.imageId, [...input.imageIds]),
          eq(images.projectId, input.projectId),
          eq(labels.isCurrent, true),
          isNotNull(labels.mask),
        ),
      )
      .orderBy(asc(labels.imageId), asc(labels.target)),
  ]);
  const colours = new Map(schema?.parts.map((part) => [part.id, part.colour]));
  const found = new Map<string, ImageOutlines>();
  for (const row of rows) {
    const ratio = Math.min(1, drawnSide / Math.max(row.width, row.height));
    const width = Math.max(1, Math.round(row.width * ratio));
    const height = Math.max(1, Math.round(row.height * ratio));
    const entry = found.get(row.imageId) ?? { imageId: row.imageId, width, height, outlines: [] };
    const pathOf = (counts: string) =>
      outlinePath(scale(decodeCounts(counts, row.height, row.width), height, width));
    entry.outlines.push({
      id: row.id,
      colour: colours.get(readTarget(row.target).id) ?? partColour(entry.outlines.length),
      path: (row.instances ?? [row.mask ?? '']).map(pathOf).join(''),
    });
    found.set(row.imageId, entry);
  }
  return [...found.values()];
}
