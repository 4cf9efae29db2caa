export const annotationsPath = (split: string): string => `annotations/${split}.json`;
export const imagePath = (split: string, name: string): string => `images/${split}/${name}`;
