import { motionBlur } from '../../pixels/motion-blur';
import { mapPlanes } from '../../pixels/planes';
import { type BySeverity, type Corruption, ofSeverity, sizeScale } from './corruption';

const MOTIONS: BySeverity<{ radius: number; sigma: number }> = [
  { radius: 10, sigma: 3 },
  { radius: 15, sigma: 5 },
  { radius: 15, sigma: 8 },
  { radius: 15, sigma: 12 },
  { radius: 20, sigma: 15 },
];
const STEEPEST = 45;

export const motion: Corruption = {
  id: 'motion-blur',
  says: 'The camera moved.',
  apply(picture, severity, chance) {
    const { radius, sigma } = ofSeverity(MOTIONS, severity);
    const scale = sizeScale(picture);
    const degrees = STEEPEST * (2 * chance.unit() - 1);
    return mapPlanes(picture, (plane) =>
      motionBlur(plane, picture.width, picture.height, {
        radius: radius * scale,
        sigma: sigma * scale,
        degrees,
      }),
    );
  },
};
