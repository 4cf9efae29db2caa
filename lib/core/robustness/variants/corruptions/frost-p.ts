import { mapPlanes } from '../../pixels/planes';
import { plasma } from '../../pixels/plasma';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const WEIGHTS: BySeverity<{ picture: number; frost: number }> = [
  { picture: 1, frost: 0.4 },
  { picture: 0.8, frost: 0.6 },
  { picture: 0.7, frost: 0.7 },
  { picture: 0.65, frost: 0.7 },
  { picture: 0.6, frost: 0.75 },
];

/** Ice lets a little less red through. */
const TINT = [0.88, 0.95, 1];
/** Rough enough for crystals; clouds would be about 2. */
const ROUGH = 1.35;

/**
 * Frost by weights of the published one, but of a computed texture: its photographs cannot be shipped. Hence its own
 * name, and figures that must not be compared with those of "frost".
 */
export const frostP: Corruption = {
  id: 'frost-p',
  says: 'Ice on the lens, of a computed texture.',
  apply(picture, severity, chance) {
    const weights = ofSeverity(WEIGHTS, severity);
    const { width, height } = picture;
    const needles = plasma(width, height, ROUGH, chance);
    const sheet = plasma(width, height, 2, chance);
    // Where rough clouds pass their middle there is a line: lines that branch look like needles.
    const ice = needles.map((value, i) => {
      const line = (1 - Math.abs(2 * value - 1)) ** 4;
      return 0.15 + 0.35 * (sheet[i] as number) + 0.5 * line;
    });
    return mapPlanes(picture, (plane, channel) =>
      Float64Array.from(
        plane,
        (value, i) =>
          weights.picture * value + weights.frost * (TINT[channel] as number) * (ice[i] as number),
      ),
    );
  },
};
