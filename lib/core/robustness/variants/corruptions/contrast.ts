import { mapPlanes } from '../../pixels/planes';
import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const KEPT: BySeverity<number> = [0.4, 0.3, 0.2, 0.1, 0.05];

export const contrast: Corruption = {
  id: 'contrast',
  says: 'Little contrast: every colour is drawn towards its mean.',
  apply(picture, severity) {
    const kept = ofSeverity(KEPT, severity);
    return mapPlanes(picture, (plane) => {
      let sum = 0;
      for (const value of plane) sum += value;
      const mean = sum / plane.length;
      return Float64Array.from(plane, (value) => (value - mean) * kept + mean);
    });
  },
};
