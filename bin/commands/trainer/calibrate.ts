import { formatNumber } from '@/lib/core/format';
import { calibrate } from '@/lib/services/training/trainers/calibration';
import { defineCommand, json } from '../../command';
import { enterDatabase } from '../../database/enter';
import { print } from '../../terminal/print';
import { noProgress, terminalProgress } from '../../terminal/progress';

export const command = defineCommand({
  options: {
    preset: { type: 'string', value: 'id', says: 'Size of the network (default tiny-64).' },
    json,
  },
  async run({ preset = 'tiny-64', json: isJson }) {
    process.env.TESSERA_LOG_LEVEL ||= 'warn';
    await using entered = await enterDatabase();
    const step = (isJson ? noProgress : terminalProgress()).begin(`Measuring ${preset} for a minute`);
    try {
      const found = await calibrate(entered.db, { preset });
      step.done(`Measured ${preset} on ${found.device} with ${found.threads} threads`);
      print(
        isJson,
        found,
        () =>
          `${formatNumber(found.clean, 1)} images/s clean, ${formatNumber(found.adversarial, 1)} with an attack of ten steps`,
      );
      return 0;
    } catch (error) {
      step.failed();
      throw error;
    }
  },
});
