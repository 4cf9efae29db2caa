export const IMAGES_PATH = 'images.csv';
export const MASKS_PATH = 'masks.csv';
export const imagePath = (split: string, name: string): string => `images/${split}/${name}`;
/** Numbered: labels may hold letters that file systems do not. */
export const maskPath = (split: string, stem: string, index: number): string =>
  `masks/${split}/${stem}/${String(index + 1).padStart(3, '0')}.png`;

export const imageColumns = [
  'image',
  'split',
  'width',
  'height',
  'class',
  'wnid',
  'group',
  'attributes',
  'facts',
];
export const maskColumns = ['image', 'mask', 'kind', 'label', 'instance', 'area', 'source', 'confidence'];
