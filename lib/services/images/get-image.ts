import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { signBlobUrl } from '@/lib/services/storage';
import type { ImageFilter } from './image-filter';
import { readImageHistory } from './image-history';
import { matchingImages } from './matching-images';

const { answers, derivatives, images, items, labels, stages, users } = tables;

interface ImageFile {
  url: string;
  width: number;
  height: number;
}

/** One image with its files, its questions, the labels they have, and what happened to it. */
export async function getImage(
  db: Db,
  input: {
    projectId: string;
    imageId: string;
    /** Whether the history names workers: for those who may see the crowd. */
    namesWorkers?: boolean;
  },
) {
  const [image] = await db
    .select()
    .from(images)
    .where(and(eq(images.id, input.imageId), eq(images.projectId, input.projectId)));
  // A picture that was made for an evaluation is no image of the project.
  if (!image || image.state === 'derived') throw notFound('image');
  const made = await db.select().from(derivatives).where(eq(derivatives.imageId, image.id));
  const questions = await questionsOf(db, image.id);
  const { blob, perceptualHash: _, state, ...facts } = image;
  const { width, height } = image;
  const fileOf = (kind: string): ImageFile | null => {
    const found = made.find((derivative) => derivative.kind === kind);
    return found ? { url: signBlobUrl(found.blob), width: found.width, height: found.height } : null;
  };
  return {
    ...facts,
    state,
    original: { url: signBlobUrl(blob), width, height } satisfies ImageFile,
    thumbnail: fileOf('thumbnail'),
    working: fileOf('working'),
    items: questions,
    history: await readImageHistory(db, image, { namesWorkers: input.namesWorkers ?? false }),
  };
}

export type ImageDetail = Awaited<ReturnType<typeof getImage>>;

const questionsOf = (db: Db, imageId: string) =>
  db
    .select({
      id: items.id,
      stage: stages.name,
      stageKind: stages.kind,
      target: items.target,
      state: items.state,
      overlap: items.overlap,
      answered: items.answered,
      label: {
        id: labels.id,
        value: labels.value,
        mask: labels.mask,
        area: labels.area,
        source: labels.source,
        confidence: labels.confidence,
        /** Of a label that answers decided; see `Explanation`. */
        explanation: sql<unknown>`${labels.provenance}->'explanation'`,
        createdAt: labels.createdAt,
      },
    })
    .from(items)
    .innerJoin(stages, eq(stages.id, items.stageId))
    .leftJoin(labels, and(eq(labels.itemId, items.id), eq(labels.isCurrent, true)))
    .where(eq(items.imageId, imageId))
    .orderBy(asc(stages.position), asc(items.target));

/** Masks that a page can draw at once. */
const MAX_ANSWERS = 200;

/** What workers said about an image, oldest first. One statement. */
export async function listImageAnswers(db: Db, input: { imageId: string; namesWorkers: boolean }) {
  const rows = await db
    .select({
      id: answers.id,
      itemId: answers.itemId,
      worker: { id: users.id, name: users.name },
      stage: stages.name,
      stageKind: stages.kind,
      target: items.target,
      value: answers.value,
      mask: answers.mask,
      area: answers.area,
      activeMs: answers.activeMs,
      at: answers.createdAt,
    })
    .from(answers)
    .innerJoin(items, eq(items.id, answers.itemId))
    .innerJoin(stages, eq(stages.id, items.stageId))
    .innerJoin(users, eq(users.id, answers.workerId))
    .where(eq(items.imageId, input.imageId))
    .orderBy(asc(stages.position), asc(items.target), asc(answers.createdAt))
    .limit(MAX_ANSWERS);
  return rows.map((row) => ({ ...row, worker: input.namesWorkers ? row.worker : null }));
}

export type ImageAnswer = Awaited<ReturnType<typeof listImageAnswers>>[number];

/** The images before and after one, in the list that a filter gives. The one itself need not be in it. */
export async function findNeighbours(
  db: Db,
  input: { projectId: string; imageId: string; filter: ImageFilter },
): Promise<{ before: string | null; after: string | null }> {
  const matching = matchingImages(input.projectId, input.filter);
  const one = { id: images.id };
  const [[before], [after]] = await Promise.all([
    db
      .select(one)
      .from(images)
      .where(and(matching, lt(images.id, input.imageId)))
      .orderBy(desc(images.id))
      .limit(1),
    db
      .select(one)
      .from(images)
      .where(and(matching, gt(images.id, input.imageId)))
      .orderBy(asc(images.id))
      .limit(1),
  ]);
  return { before: before?.id ?? null, after: after?.id ?? null };
}
