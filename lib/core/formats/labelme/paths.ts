/** LabelMe looks for the labels of a picture beside it. */
export const imagePath = (split: string, name: string): string => `${split}/${name}`;
export const labelPath = (split: string, stem: string): string => `${split}/${stem}.json`;
