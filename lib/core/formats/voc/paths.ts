export const imagePath = (stem: string): string => `JPEGImages/${stem}.jpg`;
export const xmlPath = (stem: string): string => `Annotations/${stem}.xml`;
export const classMaskPath = (stem: string): string => `SegmentationClass/${stem}.png`;
export const objectMaskPath = (stem: string): string => `SegmentationObject/${stem}.png`;
export const listPaths = (split: string): string[] => [
  `ImageSets/Main/${split}.txt`,
  `ImageSets/Segmentation/${split}.txt`,
];
/** Names and colours of the classes, as CVAT and Datumaro write them beside VOC. */
export const LABELMAP_PATH = 'labelmap.txt';

/** 0 is background and 255 the border that counts as nothing. */
export const MOST_NUMBERS = 254;
