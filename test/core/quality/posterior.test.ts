import { describe, expect, it } from 'vitest';
import { encodeCounts, rasterizeBox } from '@/lib/core/mask';
import {
  explanationSentence,
  frequenciesOf,
  needsAnotherAnswer,
  type ScoredCheck,
  settle,
  sharedErrorOf,
  stageReliability,
  type WeighedAnswer,
} from '@/lib/core/quality/posterior';
import { rival10Policy } from '@/lib/core/quality/rival10';

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

describe('the reliability of a worker', () => {
  const facts = { attributes: [], bar: 0.7 };
  const prior = { accuracy: 0.8, strength: 4 };
  const mask = (workerId: string, level: number, n: number): ScoredCheck => ({
    workerId,
    goldId: `g${n}`,
    kind: 'work',
    score: { level, iou: level, sizeAware: level },
    isPresent: true,
    isDrawn: true,
  });
  const masks = (workerId: string, levels: number[]) => levels.map((level, n) => mask(workerId, level, n));

  it("is the policy's expectation, above chance, before the first check of the stage", () => {
    const stage = stageReliability([], facts, prior);
    expect(stage.of([])).toEqual({ accuracy: 0.8, sensitivity: 0.8, specificity: 0.8, placement: 0.8 });
  });

  it("is that of the stage's workers together before the first check of the worker", () => {
    const others = ['a', 'b', 'c'].flatMap((worker) => masks(worker, Array(20).fill(0.9)));
    const newcomer = stageReliability(others, facts, prior).of([]);
    expect(newcomer.accuracy).toBeGreaterThan(0.88);
    expect(newcomer.accuracy).toBeLessThan(1);
  });

  it('moves from there with the checks of the worker', () => {
    const others = masks('a', [0.9, 0.9, 0.9, 0.1]);
    const stage = stageReliability(others, facts, prior);
    const [better, none, worse] = [masks('b', [0.9, 0.9]), [], masks('b', [0.1, 0.1])].map(
      (own) => stage.of(own).accuracy,
    );
    expect(better).toBeGreaterThan(none as number);
    expect(worse).toBeLessThan(none as number);
  });

  it("rests more on the worker's own checks where workers differ than where they are alike", () => {
    const crowd = (levelOf: (worker: number, check: number) => number) =>
      Array.from({ length: 20 }, (_, w) =>
        masks(
          `${w}`,
          Array.from({ length: 10 }, (_, c) => levelOf(w, c)),
        ),
      ).flat();
    const alike = stageReliability(
      crowd((w, c) => ((w + c) % 2 === 0 ? 0.9 : 0.1)),
      facts,
      prior,
    );
    const apart = stageReliability(
      crowd((w) => (w % 2 === 0 ? 0.9 : 0.1)),
      facts,
      prior,
    );
    const own = masks('new', [0.9, 0.9, 0.9]);
    expect(apart.of(own).accuracy - apart.population.accuracy).toBeGreaterThan(
      2 * (alike.of(own).accuracy - alike.population.accuracy),
    );
  });

  it('tells missed attributes from false marks', () => {
    const form = (truePositives: number, falsePositives: number, falseNegatives: number): ScoredCheck => ({
      ...mask('a', 0, 0),
      score: { truePositives, falsePositives, falseNegatives },
    });
    const attributes = Array.from({ length: 20 }, (_, n) => `a${n}`);
    const stage = stageReliability([], { ...facts, attributes }, prior);
    const shy = stage.of([form(2, 0, 3), form(2, 0, 3)]);
    const eager = stage.of([form(5, 5, 0), form(5, 5, 0)]);
    expect(shy.sensitivity).toBeLessThan(eager.sensitivity);
    expect(shy.specificity).toBeGreaterThan(eager.specificity);
  });

  it('counts an exam, which announces itself, less than a hidden check', () => {
    const stage = stageReliability([], facts, prior);
    const failed = masks('a', [0.1, 0.1]);
    const exam = failed.map((check) => ({ ...check, kind: 'exam' as const }));
    expect(stage.of(failed).accuracy).toBeLessThan(stage.of(exam).accuracy);
    expect(stage.of(exam).accuracy).toBeLessThan(0.8);
  });
});

describe('what is known about a stage', () => {
  const form = (goldId: string, score: Record<string, number>): ScoredCheck => ({
    workerId: 'a',
    goldId,
    kind: 'work',
    score,
    isPresent: false,
    isDrawn: false,
  });

  it('is how often its gold shows each attribute, every gold item once', () => {
    const seen = [
      form('1', { 'right:ears': 1 }),
      form('1', { 'missed:ears': 1 }),
      form('2', { 'wrong:ears': 1 }),
      form('3', {}),
    ];
    const found = frequenciesOf(seen, { attributes: ['ears', 'tail'], bar: 0.7 });
    expect(found).toEqual({ ears: 1.5 / 4, tail: 0.5 / 4 });
  });

  it('is how many images everybody draws wrong', () => {
    const drawing = (goldId: string, level: number): ScoredCheck => ({
      ...form(goldId, { level, sizeAware: level }),
      isPresent: true,
      isDrawn: true,
    });
    const facts = { attributes: [], bar: 0.7 };
    const apart = Array.from({ length: 200 }, (_, n) => [
      drawing(`${n}`, n % 10 === 0 ? 0.1 : 0.9),
      drawing(`${n}`, n % 10 === 1 ? 0.1 : 0.9),
    ]).flat();
    const together = Array.from({ length: 200 }, (_, n) => {
      const level = n % 10 === 0 ? 0.1 : 0.9;
      return [drawing(`${n}`, level), drawing(`${n}`, level)];
    }).flat();
    expect(sharedErrorOf(apart, facts)).toBeLessThan(0.01);
    expect(sharedErrorOf(together, facts)).toBeGreaterThan(0.08);
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
});

describe('answers about a class', () => {
  it('follow the weight of those who name it', () => {
    const result = settled(names('a', 0.9, 'cat'), names('b', 0.9, 'cat'), names('c', 0.6, 'dog'));
    expect(result).toMatchObject({ value: { className: 'cat' }, supporters: ['a', 'b'], isSure: true });
    // A class that nobody named keeps a little of the probability.
    const apart = settled(names('a', 0.9, 'cat'), names('b', 0.9, 'dog'));
    expect(apart.confidence).toBeGreaterThan(0.45);
    expect(apart.confidence).toBeLessThan(0.5);
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
    // Either one is right, or both are, and differ: a little more than one half.
    expect(result.confidence).toBeGreaterThan(0.5);
    expect(result.confidence).toBeLessThan(0.6);
  });

  it('outvote the one who drew something else', () => {
    const result = settled(draws('a', 0.9, 20), draws('b', 0.9, 0), draws('c', 0.9, 1));
    expect(result.supporters).toEqual(['b', 'c']);
    expect(result.confidence).toBeGreaterThan(0.9);
    expect(result.confidence).toBeLessThan(0.95);
  });

  it('never claim more certainty than images that everybody draws wrong allow', () => {
    const three = [draws('a', 0.95, 0), draws('b', 0.95, 1), draws('c', 0.95, 2)];
    const shared = (sharedError: number) =>
      settle(three, policy, size, { frequencies: {}, sharedError })?.confidence ?? 0;
    expect(shared(0)).toBeGreaterThan(0.99);
    expect(shared(0.1)).toBeLessThan(0.95);
  });
});

describe('how common something is', () => {
  it('changes the probability of a decision, but not the decision', () => {
    const two = [
      says('a', 0.9, { parts: ['horns'] }),
      says('b', 0.9, { parts: ['horns'] }),
      says('c', 0.9, { parts: ['none'] }),
    ];
    const at = (horns: number) => settle(two, policy, size, { frequencies: { horns } });
    for (const frequency of [0.01, 0.5, 0.99])
      expect(at(frequency)?.value).toEqual({ kind: 'attributes', choices: { parts: ['horns'] } });
    expect(at(0.01)?.confidence).toBeLessThan(0.5);
    expect(at(0.99)?.confidence).toBeGreaterThan(0.99);
  });

  it('lowers the certainty of a form in which a common attribute is marked by nobody', () => {
    const forms = [says('a', 0.9, { parts: ['none'] }), says('b', 0.9, { parts: ['none'] })];
    const at = (tail: number) => settle(forms, policy, size, { frequencies: { tail } })?.confidence ?? 0;
    expect(at(0.95)).toBeLessThan(at(0.05));
  });
});

describe('the explanation of a label', () => {
  const sentenceOf = (...answers: WeighedAnswer[]) => explanationSentence(settled(...answers));

  it('says when there is one answer, and when all agree', () => {
    expect(settled(finds('a', 0.8)).explanation).toEqual({ rule: 'single', agree: 1, answers: 1 });
    expect(sentenceOf(names('a', 0.8, 'cat'))).toBe('One worker answered, so nobody has confirmed it.');
    expect(sentenceOf(names('a', 0.8, 'cat'), names('b', 0.6, 'cat'))).toBe('All 2 answers agree.');
  });

  it('says how many agree on the most contested attribute', () => {
    const result = settled(
      says('a', 0.8, { parts: ['ears', 'tail'] }),
      says('b', 0.8, { parts: ['ears'] }),
      says('c', 0.8, { parts: ['ears'] }),
    );
    expect(result.explanation).toEqual({ rule: 'majority', agree: 2, answers: 3 });
  });

  it('says when a better record decided against the count of heads', () => {
    const result = settled(
      says('a', 0.98, { parts: ['none'] }),
      says('b', 0.6, { parts: ['horns'] }),
      says('c', 0.6, { parts: ['horns'] }),
    );
    expect(result.explanation).toEqual({ rule: 'trust', agree: 1, answers: 3, contested: ['horns'] });
    expect(explanationSentence(result, () => 'Horns')).toBe(
      '1 of 3 answers decided (Horns), because their workers have a better record.',
    );
  });

  it('says what broke a tie: votes, how common it is, or a fixed order', () => {
    const coins = [finds('a', 0.5), finds('b', 0.4), draws('c', 0.3, 0)];
    expect(settled(...coins).explanation).toMatchObject({ rule: 'tie', tie: 'votes', agree: 2 });
    const two = [says('a', 0.8, { parts: ['horns'] }), says('b', 0.8, { parts: ['none'] })];
    const rare = settle(two, policy, size, { frequencies: { horns: 0.1 } });
    expect(rare).toMatchObject({
      value: { choices: { parts: ['none'] } },
      explanation: { rule: 'tie', tie: 'frequency', contested: ['horns'] },
    });
    const common = settle(two, policy, size, { frequencies: { horns: 0.9 } });
    expect(common).toMatchObject({ value: { choices: { parts: ['horns'] } } });
    expect(settled(...two).explanation).toMatchObject({ rule: 'tie', tie: 'order' });
    expect(sentenceOf(...two)).toBe('The answers weigh the same (horns): a fixed order decided.');
  });

  it('is silent about labels that answers did not decide', () => {
    expect(explanationSentence({ method: 'import' })).toBeNull();
    expect(explanationSentence(null)).toBeNull();
  });
});

describe('asking again', () => {
  it('happens up to the overlap in any case, and to the maximum while unsure', () => {
    const asked = { overlap: 2, maxOverlap: 4 };
    expect(needsAnotherAnswer(1, true, asked)).toBe(true);
    expect(needsAnotherAnswer(2, true, asked)).toBe(false);
    expect(needsAnotherAnswer(2, false, asked)).toBe(true);
    expect(needsAnotherAnswer(4, false, asked)).toBe(false);
  });

  it('has nothing to settle without answers', () => {
    expect(settle([], policy, size)).toBeNull();
  });
});
