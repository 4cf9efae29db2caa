/** The numbers that are read first, whether more is better, and the suite that finds them. */
export const eight = [
  ['clean-accuracy', 'Accuracy', 'more', null],
  ['rfs', 'Foreground sensitivity', 'more', 'noise'],
  ['gray-background', 'On gray backgrounds', 'more', 'noise'],
  ['corruption-accuracy', 'Under corruptions', 'more', 'corruptions'],
  ['background-gap', 'Background gap', 'less', 'backgrounds'],
  ['adversarial-accuracy', 'Adversarial', 'more', 'attacks'],
  ['fmr', 'As an oracle follows (FMR)', 'more', 'fmr'],
  ['saliency-lift', 'Saliency over chance', 'more', 'saliency'],
] as const;
