import { CHANNELS, clipped, mapPicture } from '../../picture';
import { planeOf } from '../../pixels/planes';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const ADDED: BySeverity<number> = [0.1, 0.2, 0.3, 0.4, 0.5];

export const brightness: Corruption = {
  id: 'brightness',
  says: 'Overexposed: the value of hue, saturation and value is raised.',
  apply(picture, severity) {
    const added = ofSeverity(ADDED, severity);
    const planes = Array.from({ length: CHANNELS }, (_, channel) => planeOf(picture, channel));
    return mapPicture(picture, (value, pixel) => {
      const most = Math.max(...planes.map((plane) => plane[pixel] as number));
      const raised = clipped(most + added);
      // Black has neither hue nor saturation: it becomes gray.
      return most > 0 ? (value * raised) / most : raised;
    });
  },
};
