import { describe, expect, it } from 'vitest';
import {
  defaultMethod,
  measured,
  measuredOverlaps,
  methodsFor,
} from '@/lib/services/curation/consensus/methods';

describe('the default method', () => {
  it.each(['attributes', 'object-mask', 'part-mask', 'oracle'] as const)(
    'of %s made the fewest errors at every overlap that was measured',
    (kind) => {
      for (const [column, overlap] of measuredOverlaps.entries()) {
        const { method, why } = defaultMethod(kind, overlap);
        const errors = methodsFor(kind).map(({ id }) => measured[id]?.[column] as number);
        expect(errors.every(Number.isFinite)).toBe(true);
        expect(measured[method.id]?.[column]).toBe(Math.min(...errors));
        expect(why).toContain(`overlap ${overlap}`);
      }
    },
  );

  it('goes by the nearest overlap that was measured', () => {
    expect(defaultMethod('attributes', 25).method).toBe(defaultMethod('attributes', 5).method);
  });
});
