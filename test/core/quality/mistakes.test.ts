import { describe, expect, it } from 'vitest';
import { encodeCounts, rasterizeBox } from '@/lib/core/mask';
import { findMistakes, type ItemOutcome, maskOutcome } from '@/lib/core/quality/mistakes';

const form = (missed: number, extra: number): ItemOutcome => ({ isMask: false, found: 5, missed, extra });
const mask = (found: number, missed: number, extra: number): ItemOutcome => ({
  isMask: true,
  found,
  missed,
  extra,
});
const times = (count: number, item: ItemOutcome) => Array<ItemOutcome>(count).fill(item);

describe('the kinds of mistakes in an exam', () => {
  it.each<[string, ItemOutcome[], string[]]>([
    ['everything right', times(5, mask(100, 0, 0)), []],
    ['a little off the edge', times(5, mask(100, 10, 10)), []],
    ['parts missed in forms', times(4, form(2, 0)), ['missedParts']],
    ['more too much than missed', [...times(3, form(1, 1)), form(0, 1)], ['extraParts', 'missedParts']],
    ['outlines too large', times(3, mask(100, 0, 60)), ['tooLarge']],
    ['outlines too small', times(3, mask(50, 50, 0)), ['tooSmall']],
    ['nothing drawn', times(3, mask(0, 100, 0)), ['drewNothing']],
    ['something drawn where nothing is', times(3, mask(0, 0, 80)), ['drewAbsent']],
    ['something else drawn', times(3, mask(5, 95, 95)), ['wrongPlace']],
  ])('%s', (_, items, kinds) => {
    expect(findMistakes(items)).toEqual(kinds);
  });

  it('are named only when several items show them, so that no single answer is given away', () => {
    expect(findMistakes([form(1, 0), ...times(19, form(0, 0))])).toEqual([]);
    expect(findMistakes([...times(4, form(1, 0)), ...times(16, form(0, 0))])).toEqual([]);
    expect(findMistakes([...times(5, form(1, 0)), ...times(15, form(0, 0))])).toEqual(['missedParts']);
  });

  it('are none without items', () => {
    expect(findMistakes([])).toEqual([]);
  });
});

it('compares masks in pixels, an empty one included', () => {
  const box = (x: number, width: number) => encodeCounts(rasterizeBox([x, 0, width, 10], 20, 40));
  expect(maskOutcome(box(0, 10), box(5, 10), 20, 40)).toEqual(mask(50, 50, 50));
  expect(maskOutcome(null, box(5, 10), 20, 40)).toEqual(mask(0, 100, 0));
  expect(maskOutcome(box(0, 10), null, 20, 40)).toEqual(mask(0, 0, 100));
  expect(maskOutcome(null, null, 20, 40)).toEqual(mask(0, 0, 0));
});
