import { describe, expect, test } from 'vitest';
import type { DatasetImage, MaskLabel } from '@/lib/core/formats/dataset';
import { mapMasks } from '@/lib/core/formats/dataset';
import { groupByObject, listAnnotations, mergeById } from '@/lib/core/formats/shared/annotations';
import {
  encodeCounts,
  equals,
  type Mask,
  merge,
  rasterizeBox,
  rasterizeInstances,
  rasterizeShapes,
  type Shape,
} from '@/lib/core/mask';
import { DatasetSchema } from '@/lib/core/schema';
import { partImageNet } from '@/lib/core/schema/presets';
import { readLine, type VersionImage, writeLine } from '@/lib/services/datasets/manifest';

const box = (x: number, y: number, width = 4, height = 4): Mask =>
  rasterizeBox([x, y, width, height], 20, 30);
const origin = { source: 'import', confidence: 1 } as const;
const wheel = (mask: Mask): MaskLabel => ({ id: 'wheel', mask, ...origin });

const image = (parts: MaskLabel[]): VersionImage => ({
  source: 'a'.repeat(64),
  name: 'car.jpg',
  className: 'car',
  wnid: null,
  groupKey: null,
  columns: {},
  split: 'train',
  width: 30,
  height: 20,
  picture: { sha256: 'b'.repeat(64), mediaType: 'image/jpeg' },
  attributes: null,
  attributeMasks: [],
  objects: [{ className: 'car', instance: 1, outline: null, parts, absent: [] }],
  hasMasks: true,
});

describe('instances of a part', () => {
  test('two wheels of one car are one label with two instances', () => {
    const [label, ...rest] = mergeById([wheel(box(1, 1)), wheel(box(10, 1))]);
    expect(rest).toEqual([]);
    expect(label?.instances?.map(encodeCounts)).toEqual([box(1, 1), box(10, 1)].map(encodeCounts));
    expect(equals(label?.mask as Mask, merge([box(1, 1), box(10, 1)]))).toBe(true);
  });

  test('are listed as annotations of their own, and grouped again', () => {
    const [label] = mergeById([wheel(box(1, 1)), wheel(box(10, 1)), wheel(box(20, 1))]);
    const listed = listAnnotations(image([label as MaskLabel]) as DatasetImage);
    expect(listed.map(({ id, instance }) => [id, instance])).toEqual(Array(3).fill(['wheel', 1]));
    const [object] = groupByObject(listed, [], 'car').objects;
    expect(object?.parts).toEqual([label]);
  });

  test('survive a manifest, with the flags of their label', () => {
    const [label] = mergeById([wheel(box(1, 1)), wheel(box(10, 1))]);
    const before = image([{ ...(label as MaskLabel), flags: ['occluded'] }]);
    const after = readLine(writeLine(before));
    expect(after.objects[0]?.parts[0]?.instances?.map(encodeCounts)).toEqual(
      label?.instances?.map(encodeCounts),
    );
    expect(after.objects[0]?.parts[0]?.flags).toEqual(['occluded']);
    expect(writeLine(after)).toBe(writeLine(before));
  });

  test('a manifest line without them is as it was before there were any', () => {
    expect(writeLine(image([wheel(box(1, 1))]))).toContain(
      `"parts":[["wheel","${encodeCounts(box(1, 1)).replaceAll('\\', '\\\\')}","import",1]]`,
    );
  });

  test('change with their union', () => {
    const [label] = mergeById([wheel(box(1, 1)), wheel(box(10, 1))]);
    const changed = mapMasks(label as MaskLabel, () => box(2, 2));
    expect(encodeCounts(changed.mask)).toBe(encodeCounts(box(2, 2)));
    expect(changed.instances).toHaveLength(2);
  });
});

describe('a drawing of several instances', () => {
  const shapes: Shape[] = [
    { kind: 'polygon', op: 'add', outer: [1, 1, 9, 1, 9, 9, 1, 9], holes: [] },
    { kind: 'polygon', op: 'add', instance: 2, outer: [5, 1, 13, 1, 13, 9, 5, 9], holes: [] },
    { kind: 'polygon', op: 'erase', instance: 2, outer: [5, 1, 9, 1, 9, 9, 5, 9], holes: [] },
  ];

  test('erases from one instance only', () => {
    const [first, second] = rasterizeInstances(shapes, 20, 30);
    expect(encodeCounts(first as Mask)).toBe(encodeCounts(box(1, 1, 8, 8)));
    expect(encodeCounts(second as Mask)).toBe(encodeCounts(box(9, 1, 4, 8)));
    expect(encodeCounts(rasterizeShapes(shapes, 20, 30))).toBe(encodeCounts(box(1, 1, 12, 8)));
  });
});

describe('a schema', () => {
  const [first] = partImageNet.parts;
  const withPart = (change: object) =>
    DatasetSchema.safeParse({
      ...partImageNet,
      parts: [{ ...first, ...change }, ...partImageNet.parts.slice(1)],
    });
  const problems = (change: object) =>
    withPart(change)
      .error?.issues.map(({ message }) => message)
      .join('; ');

  test('can have parts of parts, one level deep', () => {
    const [, second, third] = partImageNet.parts;
    expect(withPart({ parent: second?.id }).success).toBe(true);
    expect(problems({ parent: first?.id })).toContain('a part of itself');
    expect(problems({ parent: 'nowhere' })).toContain('does not exist');
    const deep = [
      { ...first, parent: second?.id },
      { ...second, parent: third?.id },
      ...partImageNet.parts.slice(2),
    ];
    expect(DatasetSchema.safeParse({ ...partImageNet, parts: deep }).success).toBe(false);
  });

  test('has no parts of stuff', () => {
    const classes = partImageNet.classes.map((entry, i) => (i === 0 ? { ...entry, kind: 'stuff' } : entry));
    const parsed = DatasetSchema.safeParse({ ...partImageNet, classes });
    expect(parsed.error?.issues[0]?.message).toContain('stuff class');
  });
});
