import { capabilitiesHere, installTrainer } from '@/lib/services/training/launch/python';
import { defineCommand } from '../../command';
import { terminalProgress } from '../../terminal/progress';

export const command = defineCommand({
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
