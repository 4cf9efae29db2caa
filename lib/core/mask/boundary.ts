import { difference, intersection } from './algebra';
import { iou } from './compare';
import { MaskError } from './errors';
import { checkSameSize, type Mask } from './mask';
import { area } from './measure';
import { dilate, erodeSquare, innerBoundary } from './morphology';

/** Boundary IoU's default: the band is 2 % of the image diagonal wide (Cheng et al., CVPR 2021). */
const BAND_SHARE = 0.02;

/**
 * IoU of the two inner bands of `bandPixels` along the borders (Cheng et al., CVPR 2021). Two empty masks: 1,
 * one empty: 0.
 */
export function boundaryIou(a: Mask, b: Mask, bandPixels = defaultBand(a)): number {
  checkSameSize(a, b);
  if (!Number.isInteger(bandPixels) || bandPixels < 1)
    throw new MaskError(
      'bad-argument',
      'bandPixels',
      `a band is whole pixels of at least 1, got ${bandPixels}`,
    );
  const band = (mask: Mask) => difference(mask, erodeSquare(mask, bandPixels));
  return iou(band(a), band(b));
}

function defaultBand({ height, width }: Mask): number {
  return Math.max(1, Math.round(BAND_SHARE * Math.sqrt(height * height + width * width)));
}

/**
 * Harmonic mean of the shares of either border that lie within `tolerance` pixels of the other's border.
 * Two empty masks: 1, one empty: 0.
 */
export function boundaryFScore(answer: Mask, truth: Mask, tolerance: number): number {
  checkSameSize(answer, truth);
  const answered = innerBoundary(answer);
  const wanted = innerBoundary(truth);
  const answeredLength = area(answered);
  const wantedLength = area(wanted);
  if (answeredLength === 0 || wantedLength === 0) return answeredLength === wantedLength ? 1 : 0;
  const precision = area(intersection(answered, dilate(wanted, tolerance))) / answeredLength;
  const recall = area(intersection(wanted, dilate(answered, tolerance))) / wantedLength;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
