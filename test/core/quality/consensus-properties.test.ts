import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeCounts, rasterizeBox } from '@/lib/core/mask';
import type { AnswerValue } from '@/lib/core/quality/answer';
import { groupBy } from '@/lib/core/quality/group-by';
import { type StagePrior, settle, type WeighedAnswer } from '@/lib/core/quality/posterior';
import { rival10Policy } from '@/lib/core/quality/rival10';

const size = { height: 40, width: 40 };
const parts = ['ears', 'tail', 'wings'];

type Said = Pick<WeighedAnswer, 'value' | 'mask'>;
type Kind = { name: string; said: fc.Arbitrary<Said>; prior: StagePrior };

const form = (marked: string[]): Said => ({
  value: { kind: 'attributes', choices: { parts: marked.length > 0 ? marked : ['none'] } },
  mask: null,
});
const named = (className: string): Said => ({ value: { kind: 'class', className }, mask: null });
const nothing: Said = { value: { kind: 'nothing' }, mask: null };
const box = (x: number): Said => ({
  value: { kind: 'mask', shapes: [{ kind: 'polygon', op: 'add', outer: [x, 0, x + 9, 0, x, 9], holes: [] }] },
  mask: encodeCounts(rasterizeBox([x, 0, 20, 20], size.height, size.width)),
});

/** Boxes at 0, 1 and 2 match each other, those at 19 and 20 too, and the groups do not. */
const kinds: Kind[] = [
  {
    name: 'attributes',
    said: fc.subarray(parts).map(form),
    prior: { frequencies: { ears: 0.3, tail: 0.6 } },
  },
  {
    name: 'class',
    said: fc.constantFrom('cat', 'dog', 'owl').map(named),
    prior: { frequencies: {}, classes: 10 },
  },
  {
    name: 'mask',
    said: fc.constantFrom(nothing, box(0), box(1), box(2), box(19), box(20)),
    prior: { frequencies: { present: 0.8 }, sharedError: 0.02 },
  },
];

const rate = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100);
const reliability = fc.record({ accuracy: rate, sensitivity: rate, specificity: rate, placement: rate });
/** Few different records, so that ties are common. */
const fewRecords = fc.constantFrom(0.4, 0.5, 0.8, 0.9).map((accuracy) => ({ accuracy }));

const answersOf = (said: fc.Arbitrary<Said>, records: fc.Arbitrary<{ accuracy: number }>) =>
  fc
    .array(fc.tuple(said, records), { minLength: 1, maxLength: 6 })
    .map((list) =>
      list.map(([value, record], i): WeighedAnswer => ({ workerId: `w${i}`, ...value, ...record })),
    );

const settled = (answers: readonly WeighedAnswer[], prior?: StagePrior) => {
  const result = settle(answers, rival10Policy, size, prior);
  if (!result) throw new Error('There are answers.');
  return result;
};

const keyOf = (value: AnswerValue) => JSON.stringify(value);
const marks = (value: AnswerValue, id: string) =>
  value.kind === 'attributes' && (value.choices.parts ?? []).includes(id);

describe('equal trust is majority vote', () => {
  const accuracy = fc.constantFrom(0.2, 0.5, 0.51, 0.8, 0.99);
  const equal = (said: fc.Arbitrary<Said>) =>
    fc
      .tuple(fc.array(said, { minLength: 1, maxLength: 7 }), accuracy)
      .map(([list, accuracy]) =>
        list.map((value, i): WeighedAnswer => ({ workerId: `w${i}`, accuracy, ...value })),
      );

  it('of attributes, each by itself', () => {
    fc.assert(
      fc.property(equal(fc.subarray(parts).map(form)), fc.boolean(), (answers, isKnown) => {
        const { value } = settled(answers, isKnown ? kinds[0]?.prior : undefined);
        const votes = new Map(
          parts.map((id) => [id, answers.filter((answer) => marks(answer.value, id)).length]),
        );
        const won = parts.filter((id) => 2 * (votes.get(id) as number) > answers.length);
        const largest = Math.max(
          ...answers.map(({ value }) =>
            value.kind === 'attributes' ? (value.choices.parts ?? []).length : 0,
          ),
        );
        for (const id of parts) {
          const yes = votes.get(id) as number;
          // Where the form allows fewer options than won, the ones with the most votes stay.
          if (2 * yes > answers.length && won.length <= largest) expect(marks(value, id)).toBe(true);
          if (2 * yes < answers.length && answers.some((answer) => marks(answer.value, 'none')))
            expect(marks(value, id)).toBe(false);
        }
      }),
    );
  });

  it('of classes', () => {
    fc.assert(
      fc.property(equal(fc.constantFrom('cat', 'dog', 'owl').map(named)), (answers) => {
        const votes = groupBy(answers, ({ value }) => keyOf(value));
        const most = Math.max(...[...votes.values()].map((list) => list.length));
        expect(votes.get(keyOf(settled(answers, { frequencies: {}, classes: 10 }).value))).toHaveLength(most);
      }),
    );
  });

  it('of there being something to draw, "nothing to label" counting as a vote', () => {
    fc.assert(
      fc.property(equal(fc.constantFrom(nothing, box(0), box(19))), (answers) => {
        const drawn = answers.filter(({ mask }) => mask !== null).length;
        const { mask } = settled(answers, { frequencies: { present: 0.9 } });
        if (2 * drawn > answers.length) expect(mask).not.toBeNull();
        if (2 * drawn < answers.length) expect(mask).toBeNull();
      }),
    );
  });

  it('of where it is', () => {
    fc.assert(
      fc.property(equal(fc.constantFrom(box(0), box(1), box(19), box(20))), (answers) => {
        const left = answers.filter(({ mask }) => mask === box(0).mask || mask === box(1).mask).length;
        if (2 * left === answers.length) return;
        const { mask } = settled(answers);
        expect([box(0).mask, box(1).mask].includes(mask)).toBe(2 * left > answers.length);
      }),
    );
  });
});

describe.each(kinds)('consensus of $name', ({ said, prior }) => {
  it('does not depend on the order of the answers or on who is who, also at ties', () => {
    const shuffled = answersOf(said, fc.oneof(fewRecords, reliability)).chain((answers) =>
      fc.tuple(
        fc.constant(answers),
        fc.shuffledSubarray(answers, { minLength: answers.length }),
        fc.shuffledSubarray(
          answers.map(({ workerId }) => workerId),
          { minLength: answers.length },
        ),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([answers, reordered, names]) => {
        const renamed = reordered.map((answer, i) => ({ ...answer, workerId: names[i] as string }));
        const [one, other] = [settled(answers, prior), settled(renamed, prior)];
        const { supporters, ...outcome } = one;
        expect(other).toEqual({ ...outcome, supporters: expect.any(Array) });
        expect(other.supporters).toHaveLength(supporters.length);
      }),
    );
  });

  it('never gets less probable when one who supports it is trusted more', () => {
    const raised = fc.tuple(answersOf(said, reliability), fc.nat(), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(raised, ([answers, which, percent]) => {
        const before = settled(answers, prior);
        const at = which % answers.length;
        const up = (value = 0) => Math.min(0.99, value + percent / 100);
        const after = settled(
          answers.map((answer, i) =>
            i === at
              ? {
                  ...answer,
                  accuracy: up(answer.accuracy),
                  sensitivity: up(answer.sensitivity),
                  specificity: up(answer.specificity),
                  placement: up(answer.placement),
                }
              : answer,
          ),
          prior,
        );
        const raisedAnswer = answers[at] as WeighedAnswer;
        for (const [name, probability] of Object.entries(before.posteriors)) {
          const stands = supports(raisedAnswer, name, before);
          const now = after.posteriors[name];
          if (stands === null || now === undefined) continue;
          if (stands) expect(now).toBeGreaterThanOrEqual(probability - 1e-9);
          else expect(now).toBeLessThanOrEqual(probability + 1e-9);
        }
        if (before.supporters.includes(raisedAnswer.workerId) && raisedAnswer.value.kind !== 'attributes')
          expect(after.supporters).toContain(raisedAnswer.workerId);
      }),
    );
  });

  it('is kept, and no less probable, when one more answer agrees with it', () => {
    fc.assert(
      fc.property(answersOf(said, reliability), (answers) => {
        const before = settled(answers, prior);
        const supporter = answers.find(({ workerId }) => before.supporters.includes(workerId));
        if (!supporter) return;
        const same = { ...supporter, value: before.value, mask: before.mask, workerId: 'another' };
        const after = settled([...answers, same], prior);
        expect(keyOf(after.value)).toBe(keyOf(before.value));
      }),
    );
  });

  it('gives a worker at or below chance no say in what others agree on', () => {
    const chance = fc.integer({ min: 0, max: 10 }).map((percent) => percent / 100);
    fc.assert(
      fc.property(
        answersOf(said, fc.constant({ accuracy: 0.9 })),
        said,
        chance,
        (answers, other, accuracy) => {
          const ten = { frequencies: {}, classes: 10 };
          const before = settled(answers, ten);
          if (before.explanation.rule !== 'unanimous' && before.explanation.rule !== 'single') return;
          const after = settled([...answers, { workerId: 'guesser', ...other, accuracy }], ten);
          expect(keyOf(after.value)).toBe(keyOf(before.value));
          expect(after.mask).toBe(before.mask);
        },
      ),
    );
  });
});

/** Whether an answer speaks for a statement; null where it says nothing about it. */
function supports(answer: WeighedAnswer, name: string, before: ReturnType<typeof settled>): boolean | null {
  if (answer.value.kind === 'attributes') return marks(answer.value, name);
  if (answer.value.kind === 'class') return answer.value.className === name;
  if (name === 'present') return answer.mask !== null;
  return before.supporters.includes(answer.workerId) ? true : null;
}
