import { pascalPart } from '@/lib/core/schema/presets';
import type { SchemaPart } from '@/lib/core/schema/types';
import type { UidCodes } from '../tessera/uid-map';

/** How many numbers a part that is counted takes in the files. */
const rangeOf = ({ id, numbered }: SchemaPart) =>
  !numbered || id === 'bicycle:headlight' ? 1 : /^(bus|car):window$/.test(id) ? 20 : 10;

/** First and last number of every part in the files: wheels of a car are 20 to 29. */
const ranges = new Map<string, { first: number; last: number }>();
for (const { id: className } of pascalPart.classes) {
  let next = 1;
  for (const part of pascalPart.parts.filter(({ classes }) => classes.includes(className))) {
    const size = rangeOf(part);
    ranges.set(part.id, { first: next, last: next + size - 1 });
    next += size;
  }
}

export const numbersOf = (partId: string): number[] => {
  const { first, last } = ranges.get(partId) ?? { first: 1, last: 0 };
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
};

export const pascalCodes: UidCodes = {
  sid: (className) => pascalPart.classes.find(({ id }) => id === className)?.codes?.voc,
  pid: (partId) => ranges.get(partId)?.first,
  className: (sid) => pascalPart.classes.find(({ codes }) => codes?.voc === sid)?.id,
  partId: (className, pid) =>
    pascalPart.parts.find(({ id, classes }) => {
      const range = ranges.get(id);
      return classes.includes(className) && range && pid >= range.first && pid <= range.last;
    })?.id,
};
