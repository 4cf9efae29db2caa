/** The overlaps at which `npm run bench:aggregate` measures. */
export const measuredOverlaps = [1, 3, 5] as const;

/**
 * Error of each method on simulated crowds by overlap, as `npm run bench:aggregate` printed it (400 pictures, 40
 * workers of whom 15 % are sloppy and 10 % guess, mean of 3 seeds): the share of wrong attributes, and for masks
 * 1 − IoU with the truth.
 */
export const measured: Readonly<Record<string, readonly [number, number, number]>> = {
  majority: [0.1088, 0.0446, 0.0175],
  'gold-majority': [0.1088, 0.0446, 0.0168],
  'one-coin-dawid-skene': [0.1089, 0.0337, 0.0108],
  'dawid-skene': [0.1052, 0.0286, 0.0083],
  mace: [0.1088, 0.0593, 0.0106],
  glad: [0.2634, 0.0498, 0.0171],
  'pixel-majority': [0.245, 0.183, 0.159],
  staple: [0.245, 0.183, 0.158],
  em: [0.245, 0.225, 0.165],
  rasa: [0.245, 0.182, 0.152],
};
