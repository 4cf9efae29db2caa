/** As the dataset's own releases are laid out. */
export const annotationsPath = (split: string): string => `annotations/instances_${split}.json`;
export const imagePath = (split: string, name: string): string => `${split}/${name}`;

/** The split that `annotationsPath` was given. */
export const splitOfPath = (path: string): string | null =>
  /(?:^|\/)instances_([^/]+)\.json$/.exec(path)?.[1] ?? null;
