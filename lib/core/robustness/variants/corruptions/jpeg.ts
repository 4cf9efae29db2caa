import { type BySeverity, type Corruption, ofSeverity } from './corruption';

const QUALITY: BySeverity<number> = [25, 18, 15, 10, 7];

export const jpeg: Corruption = {
  id: 'jpeg-compression',
  says: 'Saved as a small JPEG.',
  apply: (picture, severity, _chance, around) => around.throughJpeg(picture, ofSeverity(QUALITY, severity)),
};
