import { corruptionReport } from '../report/corruption-report';
import { maskedCorruptionReport } from '../report/masked-corruption-report';
import { corruptions, corruptionVariants } from '../variants/corruptions/corruption-variant';
import { joined, onAll, type Setting, type Suite } from './suite';

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

/** One of each family in a region only. */
const QUICK_MASKED = ['gaussian-noise', 'defocus-blur', 'fog', 'pixelate'];

const every = corruptions.map(({ id }) => id);

const choice = ({ preset }: Setting) =>
  preset === 'paper' ? { types: every, levels: [1, 2, 3, 4, 5] } : { types: QUICK, levels: [1, 3, 5] };

const maskedChoice = ({ preset }: Setting) =>
  preset === 'paper' ? { types: every, levels: [1, 2, 3, 4, 5] } : { types: QUICK_MASKED, levels: [3] };

export const corruption: Suite = {
  id: 'corruptions',
  name: 'Common corruptions',
  says: 'Noise, blur, weather and coding in five severities, in the whole picture, in the object only and beside it only.',
  refusal: () => null,
  variants: (setting) =>
    onAll([
      ...corruptionVariants(choice(setting)),
      ...corruptionVariants({ ...maskedChoice(setting), where: 'object' }),
      ...corruptionVariants({ ...maskedChoice(setting), where: 'background' }),
    ]),
  report(table, setting) {
    const [whole, inRegions] = [choice(setting), maskedChoice(setting)];
    return joined([
      corruptionReport(
        table,
        whole.types.map((id) => ({ id, variant: `corrupt.${id}` })),
        whole.levels,
        setting.seed,
      ),
      maskedCorruptionReport(
        table,
        inRegions.types.map((id) => ({
          id,
          object: `corrupt.${id}.object`,
          background: `corrupt.${id}.background`,
        })),
        inRegions.levels,
        setting.seed,
      ),
    ]);
  },
};
