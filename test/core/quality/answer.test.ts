import { describe, expect, it } from 'vitest';
import { AnswerValue } from '@/lib/core/quality/answer';

const triangle = { kind: 'polygon', op: 'add', outer: [0, 0, 9, 0, 9, 9], holes: [] };

describe('what a worker can say about an item', () => {
  it.each([
    ['attributes', { kind: 'attributes', choices: { parts: ['ears', 'tail'], texture: ['none'] } }],
    ['a polygon', { kind: 'mask', shapes: [triangle] }],
    ['a stroke', { kind: 'mask', shapes: [{ kind: 'stroke', op: 'erase', points: [1, 1], radius: 3 }] }],
    ['nothing to label', { kind: 'nothing' }],
    ['a class', { kind: 'class', className: 'cat' }],
  ])('is %s', (_what, value) => {
    expect(AnswerValue.safeParse(value).success).toBe(true);
  });

  it.each([
    ['no shapes at all', { kind: 'mask', shapes: [] }],
    ['two points', { kind: 'mask', shapes: [{ ...triangle, outer: [0, 0, 9, 9] }] }],
    [
      'an odd number of coordinates',
      { kind: 'mask', shapes: [{ ...triangle, outer: [0, 0, 9, 0, 9, 9, 1] }] },
    ],
    ['NaN', { kind: 'mask', shapes: [{ ...triangle, outer: [0, 0, 9, 0, 9, Number.NaN] }] }],
    ['Infinity', { kind: 'mask', shapes: [{ ...triangle, outer: [0, 0, 9, 0, 9, Infinity] }] }],
    [
      'a radius of nothing',
      { kind: 'mask', shapes: [{ kind: 'stroke', op: 'add', points: [1, 1], radius: 0 }] },
    ],
    ['a field of their own', { kind: 'nothing', isGold: true }],
    ['a kind of their own', { kind: 'maybe' }],
  ])('is not %s', (_what, value) => {
    expect(AnswerValue.safeParse(value).success).toBe(false);
  });
});
