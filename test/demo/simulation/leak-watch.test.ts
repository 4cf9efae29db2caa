import { describe, expect, it } from 'vitest';
import { newId } from '@/db';
import { LeakWatch } from '@/lib/demo/simulation/http/floor';

const moment = Date.UTC(2026, 0, 1);

const item = (position: number, more: object = {}) => ({
  leaseId: newId(moment),
  position,
  image: { width: 4, working: { url: `/api/blobs/${'a'.repeat(64)}?expires=1&signature=abc` } },
  draft: null,
  ...more,
});

const batch = (...items: object[]) => ({ stage: { kind: 'attributes' }, items });

function hintsOf(...batches: ReturnType<typeof batch>[]): string[] {
  const watch = new LeakWatch();
  for (const each of batches) watch.lookAtBatch(each);
  return [...watch.hints.keys()];
}

describe('the watch for leaks', () => {
  it('finds nothing in items that are alike, whatever they hold', () => {
    expect(hintsOf(batch(item(0), item(1, { draft: { revision: 1 } })), batch(item(0)))).toEqual([]);
  });

  it('finds a field that names gold', () => {
    expect(hintsOf(batch(item(0, { isGold: false })))).toEqual(['batch: a field "isGold"']);
  });

  it('finds an item with another form than the others', () => {
    expect(hintsOf(batch(item(0), item(1, { note: 1 })))).toEqual(['attributes: an item of another form']);
    const odd = { image: { width: 4, working: { url: '/api/blobs/short?expires=1&signature=abc' } } };
    expect(hintsOf(batch(item(0)), batch(item(0, odd)))).toEqual(['attributes: an item of another form']);
  });

  it('finds ids that were made apart from the others', () => {
    const apart = (ms: number) => ({ leaseId: newId(moment + ms) });
    expect(hintsOf(batch(item(0, apart(9)), item(1, apart(3))))).toEqual([
      'lease ids are not in the order of the items',
    ]);
    expect(hintsOf(batch(item(0, apart(0)), item(1, apart(5000))))).toEqual([
      'lease ids carry different moments',
    ]);
    expect(hintsOf(batch(item(0, apart(0)), item(1, apart(1))))).toEqual([]);
  });
});
