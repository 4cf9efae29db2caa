import { and, asc, gt, lte, sql } from 'drizzle-orm';
import { tables } from '@/db';
import type { Author } from '@/lib/core/actor';
import { askSoon } from '@/lib/services/jobs/enqueue';
import type { JobContext } from '@/lib/services/jobs/types';
import { batchSize, changeBatch } from './change-batch';
import { projectOf, whereOf } from './change-images';
import { type ChangeCounts, changeWords, type ImageChange, type ImageScope } from './image-change';

const { images } = tables;

export interface ChangeMany {
  projectId: string;
  change: ImageChange;
  scope: ImageScope;
  author: Author;
  /** The last image that was meant. */
  until: string;
}

/**
 * Goes through the images in the order of their ids, a transaction each few hundred. Stopped in the middle, what
 * is done stays done; begun again, it finds what is done as it should be and goes on.
 */
export async function changeManyImages(context: JobContext, input: ChangeMany): Promise<ChangeCounts> {
  const { db } = context;
  const { projectId, change, author } = input;
  const meant = and(whereOf(input), lte(images.id, input.until));
  const [counted] = await db.select({ n: sql<number>`count(*)::int` }).from(images).where(meant);
  const total = counted?.n ?? 0;
  const sum: ChangeCounts = { images: 0, changed: 0, same: 0, kept: 0 };
  for (let after: string | undefined; ; ) {
    context.signal.throwIfAborted();
    const page = await db
      .select({ id: images.id })
      .from(images)
      .where(and(meant, after ? gt(images.id, after) : undefined))
      .orderBy(asc(images.id))
      .limit(batchSize);
    if (page.length === 0) break;
    const ids = page.map((row) => row.id);
    const { isDraft } = await projectOf(db, projectId);
    const counts = await db.transaction((tx) => changeBatch(tx, { projectId, author, change, ids, isDraft }));
    for (const name of Object.keys(sum) as (keyof ChangeCounts)[]) sum[name] += counts[name];
    after = ids.at(-1);
    await context.progress(sum.images, Math.max(total, sum.images));
  }
  if (change.kind === 'class' && sum.changed > 0) await db.transaction((tx) => askSoon(tx, projectId));
  await context.log(sum.kept > 0 ? 'warn' : 'info', changeWords(change, sum));
  return sum;
}
