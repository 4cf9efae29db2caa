import { formatNumber } from '@/lib/core/format';
import { capabilitiesHere, installTrainer } from '@/lib/services/training/launch/python';
import { calibrate } from '@/lib/services/training/trainers/calibration';
import { defineCommand, json } from '../command';
import { enterDatabase } from '../database/enter';
import { noProgress, print, terminalProgress } from '../terminal';

export const installCommand = defineCommand({
  async run() {
    const step = terminalProgress().begin('Installing PyTorch');
    try {
      await installTrainer({
        step: (text) => step.update(text),
        say: (text, percent) =>
          step.update(percent === undefined ? text : `${Math.round(percent)} %  ${text}`),
      });
    } catch (error) {
      step.failed();
      throw error;
    }
    const { python, torch, gpus } = await capabilitiesHere();
    step.done(
      `PyTorch ${torch} in ${python}, ${gpus.length === 0 ? 'no GPU' : gpus.map(({ name }) => name).join(', ')}`,
    );
    return 0;
  },
});

export const calibrateCommand = defineCommand({
  options: {
    preset: { type: 'string', value: 'id', description: 'Size of the network (default tiny-64).' },
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
