import { corruptionReport } from '../report/corruption-report';
import { corruptions, corruptionVariants } from '../variants/corruptions/corruption-variant';
import { onAll, type Setting, type Suite } from './suite';

/** Two of each family. */
const QUICK = [
  'gaussian-noise',
  'impulse-noise',
  'defocus-blur',
  'motion-blur',
  'fog',
  'contrast',
  'pixelate',
  'jpeg-compression',
];

const choice = ({ preset }: Setting) =>
  preset === 'paper'
    ? { types: corruptions.map(({ id }) => id), levels: [1, 2, 3, 4, 5] }
    : { types: QUICK, levels: [1, 3, 5] };

export const corruption: Suite = {
  id: 'corruptions',
  name: 'Common corruptions',
  says: 'Noise, blur, weather and coding in five severities.',
  refusal: () => null,
  variants: (setting) => onAll(corruptionVariants(choice(setting))),
  report(table, setting) {
    const { types, levels } = choice(setting);
    return corruptionReport(
      table,
      types.map((id) => ({ id, variant: `corrupt.${id}` })),
      levels,
      setting.seed,
    );
  },
};
