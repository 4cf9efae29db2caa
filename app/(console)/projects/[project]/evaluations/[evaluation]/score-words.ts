const known: Record<string, string> = {
  pTrue: 'least sure of the true class',
  margin: 'least ahead of the next class',
  irfs: 'relies on the background',
  labelSuspicion: 'label probably wrong',
  'saliency iou': 'looks beside the object (IoU)',
  'saliency delta': 'looks beside the object',
  'saliency lift': 'looks no more at it than chance',
};

/** What stands first when images are sorted by a score. */
export const scoreWords = (score: string): string =>
  known[score] ?? (score.startsWith('drop ') ? `falls most: ${score.slice('drop '.length)}` : score);
