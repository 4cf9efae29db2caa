import { z } from 'zod';
import { invalid } from '@/lib/core/errors';

/** A moment as it leaves the API: RFC 3339 in UTC. Services speak of dates. */
export const moment = z.preprocess(
  (value) => (value instanceof Date ? value.toISOString() : value),
  z.iso.datetime(),
);

export const id = z.uuid();

export const personName = z.string().trim().min(1).max(100);
export const email = z
  .email()
  .max(254)
  .transform((value) => value.toLowerCase());
export const password = z.string().min(10, 'at least 10 characters').max(128);

/** A moment that a caller gives. */
export const futureMoment = z.iso
  .datetime({ offset: true })
  .refine((text) => Date.parse(text) > Date.now(), 'must lie in the future')
  .transform((text) => new Date(text));

/** Rows come in an order that ends with a unique column; a page starts after the last row of the one before. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(500).optional(),
});

export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({
    items: z.array(item),
    /** Give it back as `cursor` for the next page; null on the last page. */
    next: z.string().nullable(),
  });

export const encodeCursor = (position: readonly unknown[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** A cursor comes from outside: it is parsed like any input. Undefined: start at the beginning. */
export function decodeCursor<S extends z.ZodType>(
  schema: S,
  cursor: string | undefined,
): z.output<S> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = schema.safeParse(fromBase64(cursor));
  if (!parsed.success) throw invalid('The cursor is not one of ours: start again without it.');
  return parsed.data;
}

function fromBase64(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Give it one row more than the limit: that row only says that there is a next page. */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => readonly unknown[],
) {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null };
}

/** The position of a list that is ordered by id alone. */
export const idPosition = z.tuple([z.uuid()]);
