export const SPLITS = ['train', 'val', 'test'] as const;
export const GROUPS = ['human', 'vehicle'] as const;

export const pictureFolder = (split: string, group: string): string => `images/${split}/${group}/`;
export const mapFolder = (split: string, group: string): string => `panoptic-parts/${split}/${group}/`;

export const PICTURE = /(?:^|\/)images\/(train|val|test)\/(human|vehicle)\/([^/]+)\.png$/;
