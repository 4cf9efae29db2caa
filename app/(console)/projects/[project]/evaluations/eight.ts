/** The numbers that are read first, and whether more is better. */
export const eight = [
  ['clean-accuracy', 'Accuracy', 'more'],
  ['rfs', 'Foreground sensitivity', 'more'],
  ['gray-background', 'On gray backgrounds', 'more'],
  ['corruption-accuracy', 'Under corruptions', 'more'],
  ['background-gap', 'Background gap', 'less'],
  ['adversarial-accuracy', 'Adversarial', 'more'],
  ['fmr', 'As an oracle follows (FMR)', 'more'],
  ['saliency-lift', 'Saliency over chance', 'more'],
] as const;
