import { PgBoss } from 'pg-boss';
import { type QueueOptions, queueOptions } from './queue-options';

/** Makes the queue's own tables, and a queue per kind of job. Safe to repeat, and to run in parallel. */
export async function installQueues(
  url: string,
  kinds: readonly string[],
  options: QueueOptions = queueOptions,
): Promise<void> {
  const boss = new PgBoss({ connectionString: url, max: 1, supervise: false, schedule: false });
  boss.on('error', () => {});
  await boss.start();
  try {
    await declareQueues(boss, kinds, options);
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** A queue that is there gets the rules of this release. */
export async function declareQueues(
  boss: PgBoss,
  kinds: readonly string[],
  options: QueueOptions = queueOptions,
): Promise<void> {
  const { policy: _, ...changeable } = options;
  for (const kind of kinds) {
    await boss.createQueue(kind, options);
    await boss.updateQueue(kind, changeable);
  }
}
