import { defineCommand } from '../command';
import { enterDatabase } from '../database/enter';
import { stopSignal, tellReady } from '../lifeline';

export const command = defineCommand({
  async run() {
    const signal = stopSignal();
    await using _ = await enterDatabase();
    const { runWorker } = await import('@/workers/run');
    tellReady();
    await runWorker({ signal });
    return 0;
  },
});
