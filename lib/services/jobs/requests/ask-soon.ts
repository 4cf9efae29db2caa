import { eq } from 'drizzle-orm';
import { type Transaction, tables } from '@/db';
import { enqueue } from '../enqueue';

/** Has the items of images that have none made in the background, if the project collects. */
export async function askSoon(tx: Transaction, projectId: string): Promise<void> {
  const [project] = await tx
    .select({ state: tables.projects.state })
    .from(tables.projects)
    .where(eq(tables.projects.id, projectId));
  if (project?.state !== 'collecting') return;
  await enqueue(tx, 'ask-questions', { projectId }, { title: 'Make items for new images', projectId });
}
