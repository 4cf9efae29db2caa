import { ensureDemo, resetDemo } from '@/lib/demo/workspace';
import { defineCommand, json } from '../command';
import { enterDatabase } from '../database/enter';
import { endWithStarter } from '../lifeline';
import { signInTable } from '../start/block';
import { noProgress, print, terminalProgress } from '../terminal';

export const command = defineCommand({
  options: {
    reset: { type: 'boolean', description: 'Delete the demo projects first, including all work in them.' },
    json,
  },
  async run(values) {
    endWithStarter();
    await using entered = await enterDatabase();
    const progress = values.json ? noProgress : terminalProgress();
    const step = progress.begin(
      values.reset ? 'Recreating the demo workspace' : 'Creating the demo workspace',
    );
    try {
      const make = values.reset ? resetDemo : ensureDemo;
      const { signIns } = await make({
        db: entered.db,
        onProgress(text) {
          step.update(text);
          process.send?.(text);
        },
      });
      step.done('The demo workspace is ready');
      print(values.json, signIns, () => signInTable(signIns));
      return 0;
    } catch (error) {
      step.failed();
      throw error;
    }
  },
});
