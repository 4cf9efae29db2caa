import { mapPicture } from '../../picture';
import { poisson } from '../../random/poisson';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

/** How many photons make a white pixel. */
const PHOTONS: BySeverity<number> = [60, 25, 12, 5, 3];

export const shotNoise: Corruption = {
  id: 'shot-noise',
  says: 'Light that comes in few photons.',
  apply(picture, severity, chance) {
    const photons = ofSeverity(PHOTONS, severity);
    return mapPicture(picture, (value) => poisson(value * photons, chance) / photons);
  },
};
