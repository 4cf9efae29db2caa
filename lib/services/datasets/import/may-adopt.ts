import type { Db } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { type Actor, authorise } from '@/lib/services/access';

/** Whether somebody who brings labels in may also give an empty draft their schema: a key may be for images only. */
export async function mayAdopt(db: Db, actor: Actor, projectId: string): Promise<boolean> {
  try {
    await authorise(db, actor, 'schema.write', { project: projectId });
    return true;
  } catch (error) {
    if (error instanceof TesseraError) return false;
    throw error;
  }
}
