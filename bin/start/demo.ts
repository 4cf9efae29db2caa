import { connect } from '@/db';
import { ensureDemo } from '@/lib/demo/workspace';
import type { Progress, Step } from '../terminal/progress';
import type { SignIn } from './block';

/** Makes the demo workspace where it is missing. Silent when there is nothing to do. */
export async function makeDemo(databaseUrl: string, progress: Progress): Promise<SignIn[]> {
  const db = connect(databaseUrl, { max: 4 });
  let step: Step | undefined;
  try {
    const { signIns } = await ensureDemo({
      db,
      onProgress(text) {
        step ??= progress.begin('Making the demo workspace (once)');
        step.update(text);
      },
    });
    step?.done('Made the demo workspace');
    return signIns;
  } catch (error) {
    step?.failed();
    throw error;
  } finally {
    await db.$client.end();
  }
}
