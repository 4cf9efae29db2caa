export const SPLITS = ['train', 'val', 'test'] as const;

export const pictureFolder = (split: string, className: string): string => `images/${split}/${className}/`;
export const maskFolder = (split: string, className: string): string =>
  `panoptic-parts/${split}/${className}/`;

export const PICTURE =
  /(?:^|\/)images\/(train|val|test)\/(aeroplane|bird|car|cat|dog)\/([^/]+)\.(?:jpg|png)$/;
