import { expect, it } from 'vitest';
import { readTarget, targetWords, writeTarget } from '@/lib/core/schema';

const names = new Map([
  ['head', 'Head'],
  ['dog', 'Dog'],
]);
const nameOf = (id: string) => names.get(id) ?? id;

it.each([
  ['', 'whole image'],
  ['head', 'Head'],
  ['wing', 'wing'],
  ['#2:dog', 'object 2 (Dog)'],
  ['head#3:dog', 'Head of object 3 (Dog)'],
  ['head#2:', 'Head of object 2'],
])('a curator reads what "%s" is about: %s', (target, words) => {
  expect(targetWords(target, nameOf, 'whole image')).toBe(words);
  expect(writeTarget(readTarget(target))).toBe(target);
});
