import { startTracing } from '@/lib/services/observability/tracing';
import { defineCommand } from '../command';
import { enterDatabase } from '../database/enter';
import { stopSignal } from '../lifeline';
import { ensureBuild } from '../start/build';
import { terminalProgress } from '../terminal';

export const command = defineCommand({
  options: {
    dev: { type: 'boolean', description: 'For development: the pages follow the sources as they change.' },
  },
  async run({ dev = false }) {
    const signal = stopSignal();
    // Next decides at its import whether this is development.
    Object.assign(process.env, { NODE_ENV: dev ? 'development' : 'production' });
    if (!dev && !process.send) await ensureBuild(terminalProgress(), signal);
    startTracing('web');
    await using _ = await enterDatabase();
    const { runWeb } = await import('../web');
    await runWeb({ dev, signal });
    return 0;
  },
});
