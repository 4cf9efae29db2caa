import { createHash } from 'node:crypto';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Database, type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';
import { startFreeze } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { MAX_PICKED } from '@/lib/services/images/image-change';
import { makeSlice } from '@/lib/services/images/slices';
import { GalleryFilters, galleryWhere } from './gallery';

const { evaluationImages, evaluations } = tables;

/** Selected images of an evaluation: a list, or all images of a gallery filter. */
export const Selection = z.union([
  z.strictObject({ images: z.array(z.uuid()).min(1).max(MAX_PICKED) }),
  z.strictObject({ filter: GalleryFilters.strict() }),
]);
export type Selection = z.infer<typeof Selection>;

export interface Selected {
  projectId: string;
  evaluationId: string;
  selection: Selection;
}

/** Query for the ids of the selected images that belong to the evaluation. */
export function selectedImages({ evaluationId, selection }: Omit<Selected, 'projectId'>): SQL {
  const where =
    'images' in selection
      ? and(
          eq(evaluationImages.evaluationId, evaluationId),
          inArray(evaluationImages.imageId, selection.images),
        )
      : galleryWhere(evaluationId, selection.filter);
  return sql`select ${evaluationImages.imageId} from ${evaluationImages} where ${where}`;
}

export async function requireEvaluation(
  db: Db,
  { projectId, evaluationId }: Pick<Selected, 'projectId' | 'evaluationId'>,
): Promise<void> {
  const [found] = await db
    .select({ id: evaluations.id })
    .from(evaluations)
    .where(and(eq(evaluations.id, evaluationId), eq(evaluations.projectId, projectId)));
  if (!found) throw notFound('evaluation');
}

/** Creates a slice from selected images. */
export async function sliceSelection(
  db: Database,
  actor: Actor,
  { name, ...selected }: Selected & { name: string },
): Promise<{ id: string; name: string; images: number }> {
  const { projectId, evaluationId } = selected;
  await authorise(db, actor, 'evaluations.write', { project: projectId });
  await requireEvaluation(db, selected);
  return makeSlice(db, actor, { projectId, evaluationId, name, of: selectedImages(selected) });
}

interface FrozenSet {
  sliceId: string;
  images: number;
  jobId: string;
  tag: string;
}

/**
 * Freezes images of an evaluation as an evaluation set: a version of exactly these, all in the split `test`, with a tag
 * that says what it is. The slice stays, so that the set can be found among the images and frozen again after a
 * correction.
 */
export async function freezeSelection(
  db: Database,
  actor: Actor,
  input: Selected & { name: string },
): Promise<FrozenSet> {
  const { projectId } = input;
  await authorise(db, actor, 'data.freeze', { project: projectId });
  const slice = await sliceSelection(db, actor, input);
  const tag = createTag(slice.name);
  const request = FreezeRequest.parse({
    filter: { slice: slice.id },
    split: { kind: 'stratified', shares: { test: 1 } },
    description: `Evaluation set: ${slice.name}.`,
  });
  const { jobId } = await startFreeze(db, actor, { projectId, request, tag });
  return { sliceId: slice.id, images: slice.images, jobId, tag };
}

/** Maximum length of the name in a tag. */
const ROOM = 24;

/** Converts a name to a tag; names without usable letters get a hash. */
export function createTag(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, ROOM)
    .replace(/^-+|-+$/g, '');
  return `evaluation-set-${plain || createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
}
