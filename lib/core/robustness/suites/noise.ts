import { ablationReport } from '../report/ablation-report';
import { grayReport } from '../report/gray-report';
import { LENGTH, noiseReport } from '../report/noise-report';
import { grayAttributes, grayRegion } from '../variants/gray-variant';
import { LENGTHS, SIGMAS } from '../variants/noise';
import { noisePair } from '../variants/noise-variant';
import { joined, onAll, type Setting, type Suite } from './suite';

const QUICK = [1, 3, 5];

const levelsOf = ({ preset }: Setting, levels: readonly number[]) =>
  preset === 'paper' ? levels : levels.filter((_, i) => QUICK.includes(i));

const noiseIds = { object: 'noise.object.linf', background: 'noise.background.linf' } as const;
const lengthIds = { object: 'noise.object.l2', background: 'noise.background.l2' } as const;

/** Sensitivity of single images, by the name of its score: of both norms. */
export const noisePairs = {
  irfs: { ...noiseIds, levels: [] },
  'irfs-l2': { ...lengthIds, levels: [] },
};

export const noise: Suite = {
  id: 'noise',
  name: 'Noise and graying',
  says: 'RIVAL10’s analysis: noise in the object or beside it, gray backgrounds, gray attributes.',
  refusal: () => null,
  variants(setting) {
    const trials = setting.preset === 'paper' ? 10 : 2;
    return onAll([
      ...noisePair({ norm: 'linf', levels: levelsOf(setting, SIGMAS), trials }),
      // The second norm confirms the first: quickly one draw each will do.
      ...noisePair({
        norm: 'l2',
        levels: levelsOf(setting, LENGTHS),
        trials: setting.preset === 'paper' ? trials : 1,
      }),
      grayRegion('background'),
      grayRegion('object'),
      ...(setting.attributes.length > 0 ? [grayAttributes(setting.attributes)] : []),
    ]);
  },
  report: (table, setting) =>
    joined([
      noiseReport(table, { ...noiseIds, levels: levelsOf(setting, SIGMAS) }, setting.seed),
      noiseReport(table, { ...lengthIds, levels: levelsOf(setting, LENGTHS) }, setting.seed, LENGTH),
      grayReport(table, setting.seed),
      ablationReport(table, setting.seed),
    ]),
};
