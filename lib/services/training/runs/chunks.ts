/** A statement has at most 65,535 values. */
const ROWS_AT_ONCE = 1000;

/** Rows in as many pieces as a statement can take. */
export function* chunks<T>(rows: readonly T[], size = ROWS_AT_ONCE): Generator<T[]> {
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}
