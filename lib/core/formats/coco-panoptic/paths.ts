export const jsonPath = (split: string): string => `annotations/panoptic_${split}.json`;
export const pngPath = (split: string, stem: string): string => `annotations/panoptic_${split}/${stem}.png`;
export const imagePath = (split: string, name: string): string => `${split}/${name}`;
export const splitOfPath = (path: string): string | null =>
  /(?:^|\/)panoptic_([^/]+)\.json$/.exec(path)?.[1] ?? null;
