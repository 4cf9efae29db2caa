import { and, asc, eq, inArray } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';

const { images, items } = tables;

interface Some {
  projectId: string;
  ids: readonly string[];
}

/**
 * Holds images with every question about them: nothing of theirs is handed out, answered or asked anew until the
 * transaction ends, and the next statement sees what was. Items come first, for that is the order of everybody who ends
 * work (a label refers to its image). A question that was being asked meanwhile is in nobody's hands yet: then all are
 * let go and held again, with it among them.
 */
export async function holdImages(tx: Transaction, some: Some): Promise<void> {
  for (;;) {
    try {
      return await tx.transaction(async (attempt) => {
        const held = new Set((await holdItems(attempt, some)).map(({ id }) => id));
        // Who writes a question about an image or chooses one by its class shares the image; this does not.
        await attempt
          .select({ id: images.id })
          .from(images)
          .where(and(eq(images.projectId, some.projectId), inArray(images.id, [...some.ids])))
          .orderBy(asc(images.id))
          .for('update');
        const now = await attempt.select({ id: items.id }).from(items).where(areAbout(some));
        if (now.some(({ id }) => !held.has(id))) throw new AskedMeanwhile();
      });
    } catch (error) {
      if (!(error instanceof AskedMeanwhile)) throw error;
    }
  }
}

class AskedMeanwhile extends Error {}

const areAbout = ({ ids }: Some) => inArray(items.imageId, [...ids]);

const holdItems = (tx: Transaction, some: Some) =>
  tx
    .select({ id: items.id })
    .from(items)
    .innerJoin(images, eq(images.id, items.imageId))
    .where(and(eq(images.projectId, some.projectId), areAbout(some)))
    .orderBy(asc(items.id))
    .for('update', { of: items });
