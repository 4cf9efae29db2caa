/** The split that a file or folder name says: "instances_train2017.json" → "train". */
export function splitFrom(name: string): string | null {
  const found = /(?:^|[_\-./])(train|training|val|valid|validation|test|testing)(?=$|[_\-./\d])/i.exec(name);
  const word = found?.[1]?.toLowerCase();
  if (word === undefined) return null;
  return word.startsWith('train') ? 'train' : word.startsWith('val') ? 'val' : 'test';
}
