import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, idPosition, pageQuery, toPage } from '@/app/api/_http/fields';
import { newId } from '@/db';

describe('pages', () => {
  it('have a next one exactly when a row more than the limit was found', () => {
    const rows = [1, 2, 3].map((n) => ({ n }));
    expect(toPage(rows, 3, (row) => [row.n])).toEqual({ items: rows, next: null });
    const page = toPage(rows, 2, (row) => [row.n]);
    expect(page.items).toHaveLength(2);
    expect(page.next).toBe(encodeCursor([2]));
    expect(toPage([], 2, () => [])).toEqual({ items: [], next: null });
  });

  it('are never larger than 200', () => {
    expect(pageQuery.parse({}).limit).toBe(50);
    expect(pageQuery.parse({ limit: '200' }).limit).toBe(200);
    for (const limit of ['201', '0', '-1', '1.5', 'NaN', '1e9']) {
      expect(pageQuery.safeParse({ limit }).success, limit).toBe(false);
    }
  });
});

describe('a cursor', () => {
  it('comes back as it went', () => {
    const id = newId();
    expect(decodeCursor(idPosition, encodeCursor([id]))).toEqual([id]);
    expect(decodeCursor(idPosition, undefined)).toBeUndefined();
  });

  it.each(['', 'x', '{}', encodeCursor(['1 or 1=1']), encodeCursor([1, 2]), encodeCursor([])])(
    'that is not ours is refused: %s',
    (cursor) => expect(() => decodeCursor(idPosition, cursor)).toThrow('cursor'),
  );
});
