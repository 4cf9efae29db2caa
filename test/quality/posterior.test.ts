import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCounts, rasterizeBox } from '@/lib/mask';
import {
  accuracyOf,
  settle,
  smoothedAccuracy,
  type WeighedAnswer,
  wantsAnother,
} from '@/lib/quality/posterior';
import { rival10Policy } from '@/lib/quality/rival10';
import { checks, hitChecks } from './histories';

const size = { height: 40, width: 40 };
const policy = { ...rival10Policy, confidence: 0.95 };

const says = (workerId: string, accuracy: number, choices: Record<string, string[]>): WeighedAnswer => ({
  workerId,
  accuracy,
  value: { kind: 'attributes', choices },
  mask: null,
});

const names = (workerId: string, accuracy: number, className: string): WeighedAnswer => ({
  workerId,
  accuracy,
  value: { kind: 'class', className },
  mask: null,
});

const draws = (workerId: string, accuracy: number, x: number, w = 20): WeighedAnswer => ({
  workerId,
  accuracy,
  value: {
    kind: 'mask',
    shapes: [{ kind: 'polygon', op: 'add', outer: [x, 0, x + w, 0, x, 20], holes: [] }],
  },
  mask: encodeCounts(rasterizeBox([x, 0, w, 20], size.height, size.width)),
});

const finds = (workerId: string, accuracy: number): WeighedAnswer => ({
  workerId,
  accuracy,
  value: { kind: 'nothing' },
  mask: null,
});

const settled = (...answers: WeighedAnswer[]) => {
  const result = settle(answers, policy, size);
  if (!result) throw new Error('there are answers');
  return result;
};

describe('the accuracy of a worker', () => {
  it('is that of a coin before the first check, and smoothed after it', () => {
    expect(accuracyOf([])).toBe(0.5);
    expect(smoothedAccuracy(8, 10)).toBe(9 / 12);
    expect(accuracyOf(checks('++++++++--'))).toBe(9 / 12);
  });

  it('lies between precision and recall for attributes', () => {
    expect(accuracyOf(hitChecks([[9, 1, 1]]))).toBe(10 / 12);
    expect(accuracyOf(hitChecks([[6, 0, 4]]))).toBe(7 / 10);
  });
});

describe('answers about attributes', () => {
  it('are sure when two good workers agree, and unsure of one', () => {
    const one = settled(says('a', 0.9, { parts: ['ears'] }));
    expect(one).toMatchObject({ isSure: false, supporters: ['a'] });
    expect(one.confidence).toBeCloseTo(0.9, 12);
    const two = settled(says('a', 0.9, { parts: ['ears'] }), says('b', 0.9, { parts: ['ears'] }));
    expect(two.isSure).toBe(true);
    expect(two.confidence).toBeCloseTo(0.81 / 0.82, 12);
  });

  it('are as sure as the attribute that is disputed', () => {
    const result = settled(
      says('a', 0.9, { parts: ['ears', 'tail'] }),
      says('b', 0.9, { parts: ['ears'] }),
      says('c', 0.9, { parts: ['ears'] }),
    );
    expect(result.value).toEqual({ kind: 'attributes', choices: { parts: ['ears'] } });
    expect(result.posteriors.tail).toBeCloseTo(0.1, 12);
    expect(result.confidence).toBeCloseTo(0.9, 12);
    expect(result.supporters).toEqual(['b', 'c']);
  });

  it('weigh a careful worker more than two coins', () => {
    const result = settled(
      says('careful', 0.95, { parts: ['none'] }),
      says('coin', 0.5, { parts: ['horns'] }),
      says('worse', 0.2, { parts: ['horns'] }),
    );
    expect(result.value).toEqual({ kind: 'attributes', choices: { parts: ['none'] } });
    expect(result.confidence).toBeCloseTo(0.95, 12);
  });

  it('are not surer of nothing than those who say so', () => {
    expect(settled(says('a', 0.6, { parts: ['none'] })).confidence).toBeCloseTo(0.6, 12);
  });

  it('keep the rules of the form: never more options than anybody gave', () => {
    const result = settled(
      says('a', 0.8, { colour: ['red', 'blue'] }),
      says('b', 0.8, { colour: ['red', 'white'] }),
      says('c', 0.8, { colour: ['blue', 'white'] }),
    );
    expect(result.value.kind === 'attributes' && result.value.choices.colour).toHaveLength(2);
    expect(result.supporters.length).toBeLessThanOrEqual(1);
  });

  it('keep the rules of the form: never fewer options than everybody gave', () => {
    const result = settled(
      says('a', 0.8, { colour: ['red'] }),
      says('b', 0.9, { colour: ['blue'] }),
      says('c', 0.8, { colour: ['white'] }),
    );
    expect(result.value).toEqual({ kind: 'attributes', choices: { colour: ['blue'] } });
    expect(result.isSure).toBe(false);
  });

  it('come to the same in any order', () => {
    const answer = fc.record({
      accuracy: fc.double({ min: 0.5, max: 1, noNaN: true }),
      parts: fc.subarray(['ears', 'tail', 'wings'], { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 5 }), (list) => {
        const all = list.map(({ accuracy, parts }, i) => says(`${i}`, accuracy, { parts }));
        const [one, other] = [settled(...all), settled(...all.toReversed())];
        expect(other.confidence).toBeCloseTo(one.confidence, 9);
        for (const [id, chance] of Object.entries(one.posteriors))
          expect(other.posteriors[id]).toBeCloseTo(chance, 9);
      }),
    );
  });
});

describe('answers about a class', () => {
  it('follow the weight of those who name it', () => {
    const result = settled(names('a', 0.9, 'cat'), names('b', 0.9, 'cat'), names('c', 0.6, 'dog'));
    expect(result).toMatchObject({ value: { className: 'cat' }, supporters: ['a', 'b'], isSure: true });
    expect(settled(names('a', 0.9, 'cat'), names('b', 0.9, 'dog')).confidence).toBeCloseTo(0.5, 12);
  });
});

describe('answers about a mask', () => {
  it('settle first whether something is there', () => {
    const result = settled(finds('a', 0.9), finds('b', 0.9), draws('c', 0.7, 0));
    expect(result).toMatchObject({
      value: { kind: 'nothing' },
      mask: null,
      supporters: ['a', 'b'],
      isSure: true,
    });
    expect(settled(finds('a', 0.8), draws('b', 0.8, 0)).isSure).toBe(false);
  });

  it('are sure when two drawings match, and take the one in the middle', () => {
    const result = settled(draws('a', 0.9, 0), draws('b', 0.9, 1), draws('c', 0.9, 2));
    expect(result.isSure).toBe(true);
    expect(result.mask).toBe(draws('b', 0.9, 1).mask);
    expect(result.supporters).toEqual(['a', 'b', 'c']);
  });

  it('are unsure when the drawings lie apart', () => {
    const result = settled(draws('a', 0.9, 0), draws('b', 0.9, 20));
    expect(result.posteriors.present).toBeCloseTo(0.81 / 0.82, 12);
    expect(result).toMatchObject({ isSure: false });
    expect(result.confidence).toBeCloseTo(0.5, 12);
  });

  it('outvote the one who drew something else', () => {
    const result = settled(draws('a', 0.9, 20), draws('b', 0.9, 0), draws('c', 0.9, 1));
    expect(result.supporters).toEqual(['b', 'c']);
    expect(result.confidence).toBeCloseTo(0.9, 12);
  });
});

describe('asking again', () => {
  it('happens up to the overlap in any case, and to the maximum while unsure', () => {
    const asked = { overlap: 2, maxOverlap: 4 };
    expect(wantsAnother(1, true, asked)).toBe(true);
    expect(wantsAnother(2, true, asked)).toBe(false);
    expect(wantsAnother(2, false, asked)).toBe(true);
    expect(wantsAnother(4, false, asked)).toBe(false);
  });

  it('has nothing to settle without answers', () => {
    expect(settle([], policy, size)).toBeNull();
  });
});
