import { mapPicture } from '../../picture';
import { poisson } from '../../random';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const SIGMA: BySeverity<number> = [0.08, 0.12, 0.18, 0.26, 0.38];

export const gaussianNoise: Corruption = {
  id: 'gaussian-noise',
  description: 'Noise as of a sensor in poor light.',
  apply(picture, severity, rng) {
    const sigma = ofSeverity(SIGMA, severity);
    return mapPicture(picture, (value) => value + sigma * rng.normal());
  },
};

/** How many photons make a white pixel. */
const PHOTONS: BySeverity<number> = [60, 25, 12, 5, 3];

export const shotNoise: Corruption = {
  id: 'shot-noise',
  description: 'Light that comes in few photons.',
  apply(picture, severity, rng) {
    const photons = ofSeverity(PHOTONS, severity);
    return mapPicture(picture, (value) => poisson(value * photons, rng) / photons);
  },
};

/** Share of the values that are lost. */
const AMOUNT: BySeverity<number> = [0.03, 0.06, 0.09, 0.17, 0.27];

export const impulseNoise: Corruption = {
  id: 'impulse-noise',
  description: 'Salt and pepper: values lost to all or nothing.',
  apply(picture, severity, rng) {
    const amount = ofSeverity(AMOUNT, severity);
    return mapPicture(picture, (value) => {
      const draw = rng.unit();
      return draw >= amount ? value : draw < amount / 2 ? 0 : 1;
    });
  },
};
