import { and, eq, sql } from 'drizzle-orm';
import { type Database, tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { conflict, notFound } from '@/lib/core/errors';
import { record } from '@/lib/services/activity';
import { GONE_SECONDS } from './list-trainers';

const { trainers } = tables;

/** Forgets a machine that is gone; one that is there would be back within a minute. Its runs stay. */
export async function removeTrainer(db: Database, actor: Author, trainerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(trainers)
      .where(
        and(
          eq(trainers.id, trainerId),
          sql`${trainers.seenAt} < now() - make_interval(secs => ${GONE_SECONDS})`,
        ),
      )
      .returning({ name: trainers.name, kind: trainers.kind });
    if (gone) {
      await record(tx, {
        actor,
        verb: 'trainer.remove',
        subject: 'trainer',
        subjectId: trainerId,
        detail: gone,
      });
      return;
    }
    const [there] = await tx.select({ name: trainers.name }).from(trainers).where(eq(trainers.id, trainerId));
    if (!there) throw notFound('trainer');
    throw conflict(
      `${there.name} is still there. Stop its agent or revoke its key; it can be removed two minutes later.`,
    );
  });
}
