import { and, eq } from 'drizzle-orm';
import { type Db, tables } from '@/db';

const { uploadFiles } = tables;

export interface Outcome {
  state: 'accepted' | 'duplicate' | 'refused';
  reason: string | null;
  imageId?: string;
  /** Given for what is never read again, so that the collector may take the file as it was sent. */
  blob?: null;
}

/** Writes down what became of a file, once: a second attempt at the job does not change it. */
export async function settleFile(db: Db, fileId: string, outcome: Outcome): Promise<void> {
  await db
    .update(uploadFiles)
    .set(outcome)
    .where(and(eq(uploadFiles.id, fileId), eq(uploadFiles.state, 'received')));
}
