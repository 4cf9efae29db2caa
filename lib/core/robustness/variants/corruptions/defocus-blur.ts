import { diskBlur } from '../../pixels/disk-blur';
import { gaussianBlur } from '../../pixels/gaussian-blur';
import { mapPlanes } from '../../pixels/planes';
import { type BySeverity, type Corruption, ofSeverity, sizeScale } from './corruption';

const DISKS: BySeverity<{ radius: number; alias: number }> = [
  { radius: 3, alias: 0.1 },
  { radius: 4, alias: 0.5 },
  { radius: 6, alias: 0.5 },
  { radius: 8, alias: 0.5 },
  { radius: 10, alias: 0.5 },
];

export const defocusBlur: Corruption = {
  id: 'defocus-blur',
  says: 'Out of focus.',
  apply(picture, severity) {
    const { radius, alias } = ofSeverity(DISKS, severity);
    const { width, height } = picture;
    const scale = sizeScale(picture);
    return mapPlanes(picture, (plane) =>
      gaussianBlur(diskBlur(plane, width, height, radius * scale), width, height, alias * scale),
    );
  },
};
