import { cells, type Plan } from './plan';
import { classes } from './scenes';

/**
 * Images a second of one run on one thread, another run beside it, measured on 2 cores of an EPYC processor: in a clean
 * epoch and in one with an attack of five steps.
 */
const rates: Record<string, { clean: number; adversarial: number }> = {
  baseline: { clean: 600, adversarial: 110 },
  downsampled: { clean: 170, adversarial: 37 },
  'bounding-box': { clean: 140, adversarial: 29 },
};
/** Seconds for starting, testing and exporting a run, and for its validations under attack. */
const REST = { normal: 25, pgd: 50 };

export function printPlan({ counts, seeds, epochs }: Plan, parallel: number): void {
  const images = counts.train * classes.length;
  const seconds = cells.map(({ arch, method }) => {
    const rate = rates[arch] ?? { clean: 100, adversarial: 20 };
    const isNormal = method === 'normal';
    return (
      REST[isNormal ? 'normal' : 'pgd'] +
      (images * epochs.clean) / rate.clean +
      (isNormal ? 0 : (images * epochs.adversarial) / rate.adversarial)
    );
  });
  const total = (seconds.reduce((sum, each) => sum + each, 0) * seeds.length) / parallel;
  console.error(
    `${cells.length} rows × ${seeds.length} seeds = ${cells.length * seeds.length} runs, ${parallel} at a time; ` +
      `${images} training images, ${counts.test * classes.length} test images, ` +
      `${epochs.clean} clean and ${epochs.adversarial} adversarial epochs: about ${Math.ceil(total / 60)} minutes.`,
  );
}
