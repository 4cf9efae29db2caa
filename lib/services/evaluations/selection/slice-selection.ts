import type { Database } from '@/db';
import { type Actor, authorise } from '@/lib/services/access';
import { makeSlice } from '@/lib/services/images/slices';
import { requireEvaluation, type Selected, selectedImages } from './selection';

/** Makes a slice of images of an evaluation. */
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
