/** Sentences that the layouts of the datasets share. */
export const lost = {
  provenance: 'Where a label comes from and how sure it is are left out.',
  overlap: 'A pixel has one label: where parts overlap, the one that lies on top keeps it.',
  attributes: 'Attributes of an image and their masks are left out.',
  absent: 'That a part was looked for and not found is left out.',
  columns: 'Group and columns of an image are left out.',
  instances: 'Objects of one class in an image are not told apart.',
  outlines: 'Outlines of objects are left out: only parts are written.',
} as const;
