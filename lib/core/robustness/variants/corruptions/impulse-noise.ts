import { mapPicture } from '../../picture';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

/** Share of the values that are lost. */
const AMOUNT: BySeverity<number> = [0.03, 0.06, 0.09, 0.17, 0.27];

export const impulseNoise: Corruption = {
  id: 'impulse-noise',
  says: 'Salt and pepper: values lost to all or nothing.',
  apply(picture, severity, chance) {
    const amount = ofSeverity(AMOUNT, severity);
    return mapPicture(picture, (value) => {
      const draw = chance.unit();
      return draw >= amount ? value : draw < amount / 2 ? 0 : 1;
    });
  },
};
