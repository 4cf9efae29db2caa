/** As the Hub names them; the split is what stands before the first number. */
export const shardPath = (split: string, index: number, of: number): string =>
  `data/${splitName(split)}-${five(index)}-of-${five(of)}.parquet`;

/** The datasets library takes letters, digits, underscores and dots in names of splits: fold-1 is fold_1 there. */
export const splitName = (split: string): string => split.replaceAll(/[^\w.]/g, '_');

const five = (value: number): string => String(value).padStart(5, '0');

export const splitOfShard = (path: string): string | null =>
  /(?:^|\/)([^/]+?)-\d+(?:-of-\d+)?[^/]*\.parquet$/.exec(path)?.[1] ?? null;

export const CARD_PATH = 'README.md';
