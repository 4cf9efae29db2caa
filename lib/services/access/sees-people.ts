import type { Db } from '@/db';
import { type Actor, authorise } from '.';

/** Whether a reader of the activity may know who works in the crowd. */
export const seesPeople = (db: Db, actor: Actor, projectId: string): Promise<boolean> =>
  authorise(db, actor, 'crowd.read', { project: projectId }).then(
    () => true,
    () => false,
  );
