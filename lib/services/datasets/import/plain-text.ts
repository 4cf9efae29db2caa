/** PostgreSQL has no place for U+0000 and half characters; files from anywhere may hold both. */
export const plainText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '');

/** The same for every text in a JSON value, keys too. */
export function plainValue<T>(value: T): T {
  if (typeof value === 'string') return plainText(value) as T;
  if (Array.isArray(value)) return value.map(plainValue) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [plainText(key), plainValue(each)]),
  ) as T;
}
