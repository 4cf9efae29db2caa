import { mapPicture } from '../../picture';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const SIGMA: BySeverity<number> = [0.08, 0.12, 0.18, 0.26, 0.38];

export const gaussianNoise: Corruption = {
  id: 'gaussian-noise',
  says: 'Noise as of a sensor in poor light.',
  apply(picture, severity, chance) {
    const sigma = ofSeverity(SIGMA, severity);
    return mapPicture(picture, (value) => value + sigma * chance.normal());
  },
};
