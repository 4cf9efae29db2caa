import { eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import type { UserActor } from '@/lib/services/access';

/** People who only work go to their work; everyone else goes to the projects. */
export async function homeOf(db: Db, actor: UserActor): Promise<'/annotate' | '/projects'> {
  if (actor.isAdmin) return '/projects';
  const held = await db
    .selectDistinct({ role: tables.memberships.role })
    .from(tables.memberships)
    .where(eq(tables.memberships.userId, actor.userId));
  return held.length > 0 && held.every(({ role }) => role === 'worker') ? '/annotate' : '/projects';
}
