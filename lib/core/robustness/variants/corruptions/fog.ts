import { mapPicture } from '../../picture';
import { plasma } from '../../pixels/plasma';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const FOGS: BySeverity<{ amount: number; decay: number }> = [
  { amount: 1.5, decay: 2 },
  { amount: 2, decay: 2 },
  { amount: 2.5, decay: 1.7 },
  { amount: 2.5, decay: 1.5 },
  { amount: 3, decay: 1.4 },
];

/** `cloud` over a value, dimmed so that the brightest value stays the brightest. */
export const fogged = (value: number, brightest: number, amount: number, cloud: number): number =>
  ((value + amount * cloud) * brightest) / (brightest + amount);

export const fog: Corruption = {
  id: 'fog',
  says: 'Fog.',
  apply(picture, severity, chance) {
    const { amount, decay } = ofSeverity(FOGS, severity);
    const clouds = plasma(picture.width, picture.height, decay, chance);
    const brightest = picture.data.reduce((most, value) => Math.max(most, value), 0);
    return mapPicture(picture, (value, pixel) => fogged(value, brightest, amount, clouds[pixel] as number));
  },
};
