import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aggregators, bestClass, indexVotes, noTruth, type Vote } from '@/lib/core/quality/aggregate';
import { dawidSkene } from '@/lib/core/quality/aggregate/dawid-skene';
import { mace, seeded } from '@/lib/core/quality/aggregate/mace';
import { goldMajority, majority } from '@/lib/core/quality/aggregate/majority';
import { oneCoinDawidSkene } from '@/lib/core/quality/aggregate/one-coin-dawid-skene';

/**
 * Table 1 of Dawid & Skene (1979): 45 patients, five anaesthetists, the first of whom looked three times; classes
 * 1 to 4. A line is a patient: the three ratings of the first, then the ratings of the other four.
 */
const table = `1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111
2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222
1111111 1111111 1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111
1212111 2322222 1211111 2222222`;

const anaesthetists: Vote[] = table.split(/\s+/).flatMap((ratings, patient) =>
  [...ratings].map((value, n) => ({
    item: `patient ${patient + 1}`,
    worker: `anaesthetist ${Math.max(1, n - 1)}`,
    value,
  })),
);

const rounded = (values: ArrayLike<number>) => Array.from(values, (value) => Math.round(value * 100) / 100);

describe('Dawid and Skene’s own example', () => {
  const votes = indexVotes(anaesthetists, ['1', '2', '3', '4']);
  const { confusion, posterior } = dawidSkene(votes);

  it('gives the shares of the classes that the paper prints', () => {
    expect(rounded(confusion.prior)).toEqual([0.4, 0.42, 0.11, 0.07]);
  });

  it('gives the error rates of the first anaesthetist that the paper prints', () => {
    expect(rounded(confusion.rates.subarray(0, 16))).toEqual([
      ...[0.89, 0.11, 0, 0],
      ...[0.07, 0.88, 0.05, 0],
      ...[0, 0.34, 0.66, 0],
      ...[0, 0, 0.56, 0.44],
    ]);
  });

  it('is sure of most patients', () => {
    const sure = votes.items.filter(
      (_, item) => Math.max(...posterior.subarray(4 * item, 4 * item + 4)) > 0.99,
    );
    expect(sure.length).toBeGreaterThan(35);
  });
});

/** Votes of a crowd whose truth is known: each worker is right with their own probability. */
function crowd(skills: readonly number[], items: number, seed: number) {
  const random = seeded(seed);
  const truth = Array.from({ length: items }, () => (random() < 0.4 ? 'yes' : 'no'));
  const other = (value: string) => (value === 'yes' ? 'no' : 'yes');
  const votes = truth.flatMap((value, item) =>
    skills.map((skill, worker): Vote => {
      return { item: `${item}`, worker: `${worker}`, value: random() < skill ? value : other(value) };
    }),
  );
  return { votes: indexVotes(votes, ['no', 'yes']), truth };
}

function errorsOf(
  aggregate: (typeof aggregators)[number]['aggregate'],
  { votes, truth }: ReturnType<typeof crowd>,
) {
  const result = aggregate(votes);
  return truth.filter((value, item) => votes.classes[bestClass(result, 2, item).best] !== value).length;
}

describe('with two who know among three who guess', () => {
  const mixed = crowd([0.95, 0.9, 0.55, 0.55, 0.55], 400, 3);

  it.each(['one-coin-dawid-skene', 'dawid-skene', 'mace', 'glad'] as const)('%s beats the majority', (id) => {
    const method = aggregators.find((entry) => entry.id === id) as (typeof aggregators)[number];
    expect(errorsOf(method.aggregate, mixed)).toBeLessThan(errorsOf(majority, mixed));
  });

  it('one-coin Dawid-Skene knows who is good', () => {
    const skill = oneCoinDawidSkene(mixed.votes).skill as Float64Array;
    expect(skill[0]).toBeGreaterThan(0.85);
    expect(Math.max(...skill.subarray(2))).toBeLessThan(0.7);
  });

  it('gold says it before any method could guess it', () => {
    const few = crowd([0.95, 0.2, 0.2], 30, 5);
    const truth = noTruth(few.votes);
    for (let item = 0; item < 20; item++) truth[item] = few.votes.classes.indexOf(few.truth[item] as string);
    const { skill } = goldMajority(few.votes, truth);
    expect((skill as Float64Array)[0]).toBeGreaterThan(2 * ((skill as Float64Array)[1] as number));
  });
});

describe('a spammer who always says the same', () => {
  it('is not believed by MACE, though mostly right by the rarity of the other answer', () => {
    const { votes, truth } = crowd([0.9, 0.9, 0.9], 300, 7);
    const list: Vote[] = Array.from(votes.item, (item, r) => ({
      item: `${item}`,
      worker: `${votes.worker[r]}`,
      value: votes.classes[votes.value[r] as number] as string,
    }));
    const spam = truth.map((_, item): Vote => ({ item: `${item}`, worker: 'spammer', value: 'no' }));
    const skill = mace(indexVotes([...list, ...spam], ['no', 'yes'])).skill as Float64Array;
    expect(skill[3]).toBeLessThan(0.2);
    expect(Math.min(...skill.subarray(0, 3))).toBeGreaterThan(0.6);
  });
});

describe.each(aggregators)('$name', ({ aggregate }) => {
  it('keeps what everybody says', () => {
    const votes = indexVotes(
      ['a', 'b'].flatMap((item) => ['x', 'y', 'z'].map((worker) => ({ item, worker, value: item }))),
    );
    const result = aggregate(votes);
    expect([0, 1].map((item) => bestClass(result, 2, item).best)).toEqual([0, 1]);
    expect(bestClass(result, 2, 0).confidence).toBeGreaterThan(0.5);
  });

  it('answers for one worker, one vote and one class', () => {
    const result = aggregate(indexVotes([{ item: 'a', worker: 'x', value: 'yes' }]));
    expect(Array.from(result.posterior)).toEqual([1]);
  });

  it('takes known truth as it is', () => {
    const votes = indexVotes([
      { item: 'a', worker: 'x', value: 'yes' },
      { item: 'a', worker: 'y', value: 'yes' },
      { item: 'b', worker: 'x', value: 'no' },
    ]);
    const result = aggregate(votes, Int32Array.of(1, -1));
    expect(bestClass(result, 2, 0)).toEqual({ best: 1, confidence: 1, isTie: false });
  });

  it('gives probabilities, whatever the votes', () => {
    const vote = fc.record({
      item: fc.constantFrom('a', 'b', 'c', 'd'),
      worker: fc.constantFrom('v', 'w', 'x'),
      value: fc.constantFrom('1', '2', '3'),
    });
    fc.assert(
      fc.property(fc.array(vote, { minLength: 1, maxLength: 30 }), (list) => {
        const votes = indexVotes(list, ['1', '2', '3']);
        const { posterior, skill } = aggregate(votes);
        expect(posterior.length).toBe(votes.items.length * 3);
        for (let row = 0; row < posterior.length; row += 3) {
          const sum = posterior.subarray(row, row + 3).reduce((a, b) => a + b, 0);
          expect(sum).toBeCloseTo(1, 9);
        }
        for (const value of skill ?? []) expect(value >= 0 && value <= 1).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('gives the same for the same votes', () => {
    const votes = indexVotes(anaesthetists);
    expect(aggregate(votes)).toEqual(aggregate(votes));
  });
});

it('a tie is named as one', () => {
  const votes = indexVotes([
    { item: 'a', worker: 'x', value: 'yes' },
    { item: 'a', worker: 'y', value: 'no' },
  ]);
  expect(bestClass(majority(votes), 2, 0)).toEqual({ best: 0, confidence: 0.5, isTie: true });
});
