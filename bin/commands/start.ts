import { defineCommand } from '../command';
import { runInstance } from '../start/run';

export const command = defineCommand({
  options: {
    dev: { type: 'boolean', description: 'For development: the pages follow the sources as they change.' },
  },
  async run({ dev = false }) {
    await runInstance({ dev });
    return 0;
  },
});
