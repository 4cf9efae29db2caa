import { expect, it } from 'vitest';
import { withOutlines } from '@/app/(console)/projects/[project]/images/use-outlines';

it('the masks of a hundred thousand images that were scrolled past do not pile up', () => {
  const screens = Array.from({ length: 60 }, (_, screen) =>
    Array.from({ length: 100 }, (_, n) => `${screen}-${n}`),
  );
  const [first] = screens as [string[]];
  let known: ReturnType<typeof withOutlines> = new Map();
  // The first screen stays in sight, however old it is.
  for (const ids of screens) known = withOutlines(known, ids, [], new Set([...first, ...ids]));
  expect(known.size).toBe(2000);
  for (const id of [...first, ...(screens.at(-1) as string[])]) expect(known.has(id)).toBe(true);
  expect(known.has('1-0')).toBe(false);
});
