import type { Db } from '@/db';
import { type Actor, authorise } from '@/lib/services/access';
import type { ProjectAccess } from '@/lib/services/access/authorise';

/** Whoever brings a dataset in adds images and says what their labels are: it needs the rights to both. */
export async function mayImport(db: Db, actor: Actor, project: string): Promise<ProjectAccess> {
  await authorise(db, actor, 'audit.decide', { project });
  return authorise(db, actor, 'images.write', { project });
}
