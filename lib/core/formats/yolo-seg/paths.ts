export const DATA_PATH = 'data.yaml';
/** Ultralytics finds the labels of a picture by putting "labels" for the last "images" of its path. */
export const imagePath = (split: string, name: string): string => `images/${split}/${name}`;
export const labelPath = (split: string, stem: string): string => `labels/${split}/${stem}.txt`;
export const labelPathOf = (picture: string): string =>
  picture.replace(/(^|.*\/)images\//, '$1labels/').replace(/\.[^./]+$/, '.txt');
