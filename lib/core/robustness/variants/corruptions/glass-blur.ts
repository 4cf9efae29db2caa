import { CHANNELS, type Picture } from '../../picture';
import { blurredPicture } from '../../pixels/gaussian-blur';
import { planeOf } from '../../pixels/planes';
import type { Stream } from '../../random/stream';
import { type BySeverity, type Corruption, ofSeverity, sizeScale } from './corruption';

const GLASS: BySeverity<{ sigma: number; shift: number; rounds: number }> = [
  { sigma: 0.7, shift: 1, rounds: 2 },
  { sigma: 0.9, shift: 2, rounds: 1 },
  { sigma: 1, shift: 2, rounds: 3 },
  { sigma: 1.1, shift: 3, rounds: 2 },
  { sigma: 1.5, shift: 4, rounds: 2 },
];

export const glassBlur: Corruption = {
  id: 'glass-blur',
  says: 'Through frosted glass: near pixels trade places between two blurs.',
  apply(picture, severity, chance) {
    const { sigma, shift, rounds } = ofSeverity(GLASS, severity);
    const scale = sizeScale(picture);
    const blurred = blurredPicture(picture, sigma * scale);
    const reach = Math.max(1, Math.round(shift * scale));
    // A shift of less than a pixel is one of a pixel for fewer of them.
    const share = Math.min(1, (shift * scale) / reach);
    for (let round = 0; round < rounds; round++) trade(blurred, reach, share, chance);
    return blurredPicture(blurred, sigma * scale);
  },
};

/** A share of the pixels with one at most `reach` away, from the last to the first, all colours together. */
function trade(picture: Picture, reach: number, share: number, chance: Stream): void {
  const { width, height } = picture;
  const planes = Array.from({ length: CHANNELS }, (_, channel) => planeOf(picture, channel));
  for (let y = height - reach; y > reach; y--)
    for (let x = width - reach; x > reach; x--) {
      if (chance.unit() >= share) continue;
      const dx = chance.below(2 * reach) - reach;
      const dy = chance.below(2 * reach) - reach;
      const [here, there] = [y * width + x, (y + dy) * width + x + dx];
      for (const plane of planes)
        [plane[here], plane[there]] = [plane[there] as number, plane[here] as number];
    }
}
