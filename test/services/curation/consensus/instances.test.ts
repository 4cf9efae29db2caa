import { expect, it } from 'vitest';
import { encodeCounts, type Mask, merge, rasterizeBox } from '@/lib/core/mask';
import { maskAggregators } from '@/lib/core/quality/aggregate/masks';
import { mergeMasks } from '@/lib/services/curation/consensus/merger';
import { differenceOf } from '@/lib/services/curation/consensus/preview';
import type { AnsweredItem } from '@/lib/services/curation/consensus/read-items';

const [height, width] = [40, 80];
const box = (x: number, y = 0, wide = 10, high = 10): Mask => rasterizeBox([x, y, wide, high], height, width);
const [left, right] = [box(0), box(30)];

type Answer = AnsweredItem['answers'][number];

const said = (...masks: Mask[]): Pick<Answer, 'value' | 'mask'> =>
  masks.length === 0
    ? { value: { kind: 'nothing' }, mask: null }
    : {
        value: { kind: 'mask', ...(masks.length > 1 && { instances: masks.map(encodeCounts) }) },
        mask: encodeCounts(merge(masks)),
      };

const item = (answers: Pick<Answer, 'value' | 'mask'>[]): AnsweredItem => ({
  id: 'item',
  imageId: 'image',
  target: 'wheel',
  schemaVersionId: 'schema',
  height,
  width,
  label: null,
  answers: answers.map((answer, i) => ({ id: `a${i}`, itemId: 'item', workerId: `w${i}`, ...answer })),
});

const instancesOf = (value: { kind: string; instances?: readonly string[] }) => value.instances;

it.each(maskAggregators)('$name keeps the instances that at least half of the people drew', (aggregator) => {
  const { value, mask, confidence } = mergeMasks(
    item([said(left, right), said(right, left), said(left, right, box(60))]),
    aggregator,
  );
  expect(instancesOf(value)).toEqual([left, right].map(encodeCounts));
  expect(mask).toBe(encodeCounts(merge([left, right])));
  expect(confidence).toBeCloseTo(2 / 3, 6);
});

it.each(maskAggregators)('$name makes one instance of what most drew as one', (aggregator) => {
  const both = merge([left, right]);
  const { value, mask } = mergeMasks(item([said(both), said(both), said(left, right)]), aggregator);
  expect(instancesOf(value)).toBeUndefined();
  expect(mask).toBe(encodeCounts(both));
});

it('a run notices that only the instances differ from the current label', () => {
  const [aggregator] = maskAggregators;
  const wheels = item([said(left, right), said(left, right)]);
  const merged = mergeMasks(wheels, aggregator);
  const label = (value: Answer['value']): AnsweredItem => ({
    ...wheels,
    label: {
      id: 'l',
      value: value as never,
      mask: merged.mask,
      source: 'answer',
      run: null,
      isAccepted: false,
    },
  });
  expect(differenceOf(label({ kind: 'mask' }), merged)).toMatchObject({ isChanged: true, iou: 1 });
  const same = label({ kind: 'mask', instances: [right, left].map(encodeCounts) });
  expect(differenceOf(same, merged).isChanged).toBe(false);
});
