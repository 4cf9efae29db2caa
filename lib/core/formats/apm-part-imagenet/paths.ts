import type { DatasetImage } from '../dataset';
import { stemOf } from '../names';

export const SPLITS = ['train', 'val', 'test'] as const;

/** An image without a WordNet id lies in a folder named after its class. */
export const folderOf = (image: DatasetImage): string => image.wnid ?? image.className ?? '';

/** As lists name an image: one slash and no ending. */
export const lineOf = (image: DatasetImage): string => `${folderOf(image)}/${stemOf(image.name)}`;

export const picturePath = (image: DatasetImage): string => `JPEGImages/${lineOf(image)}.JPEG`;

/** What --seg-label-dir is given. */
export const maskFolder = (isBoxes: boolean): string =>
  `${isBoxes ? 'BoxSegmentations' : 'PartSegmentations'}/All`;

export const classFolder = (root: string, split: string, className: string): string =>
  `${root}/${split}/${className}/`;

export const listPath = (root: string, split: string, className: string): string =>
  `${root}/${split}/${className}.txt`;

export const boxesPath = (split: string): string => `PartBoxSegmentations/${split}.json`;

/** A list of a class: where the folder of masks begins, the folder's kind, split and class. */
export const LIST = /(?:^|\/)((?:Part|Box)Segmentations)\/[^/]+\/(train|val|test)\/([A-Za-z]+)\.txt$/;
