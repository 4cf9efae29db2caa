import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { notFound } from '@/lib/core/errors';
import { MAX_PICKED } from '@/lib/services/images/image-change';
import { GalleryFilters, galleryWhere } from '../gallery';

const { evaluationImages, evaluations } = tables;

/** Images of an evaluation: picked one by one, or all that its gallery shows under a filter. */
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

/** A query for the ids of the images; what is not of the evaluation is left out, whoever names it. */
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
