import { describe, expect, it } from 'vitest';
import {
  generateChain,
  maxQuestions,
  nextOfTwoQuestions,
  nextQuestion,
  runChain,
} from '@/lib/core/robustness/fmr/chain';
import {
  identityGenerator,
  randomGenerator,
  searchGenerator,
  smallChanges,
  squaresGenerator,
} from '@/lib/core/robustness/fmr/generators';
import { classifyByEmbedding, majority } from '@/lib/core/robustness/fmr/oracles';
import { type FmrOptions, fmrVariant, similarity } from '@/lib/core/robustness/fmr/variants';
import { countFmr, fmrByClass, fmrOf, meanSteps, oracleAgreement } from '@/lib/core/robustness/metrics/fmr';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import { openModel } from '@/lib/services/inference/runner/open-model';
import { argmax, aroundOf, blobs, sampleOf, withFiles } from '@/test/services/evaluations/models';
import { SIDE, tinyClassifier } from '@/test/support/tiny-classifier';

const generators = [
  searchGenerator({ candidates: 4 }),
  squaresGenerator({ candidates: 4 }),
  randomGenerator(),
];
const quiet = async (pictures: readonly Picture[]) => pictures.map(() => 0);
/** Sees the class for so many pictures. */
const patient = (times: number) => {
  let left = times;
  return async () => left-- > 0;
};

describe('a chain of pictures', () => {
  const given = blobs(SIDE, 'chain');

  it('goes as far as the oracle goes along, and no further', async () => {
    for (const generator of generators)
      for (const accepted of [0, 1, 3, 6, 9]) {
        const settings = { generator, budget: 6, selection: 'last' as const };
        const found = await runChain(given, settings, createRng('chain'), quiet, patient(accepted));
        const all = await generateChain(given, settings, createRng('chain'), quiet);
        const steps = Math.min(accepted, 6);
        expect(all).toHaveLength(6);
        expect([found.isValidated, found.steps, found.chosen]).toEqual([
          steps > 0,
          steps,
          steps > 0 ? steps - 1 : null,
        ]);
        expect(found.picture).toEqual(steps > 0 ? all[steps - 1] : given);
      }
  });

  it('gives the worst of the accepted ones where that is asked for', async () => {
    const losses = [1, 5, 2, 9].values();
    const found = await runChain(
      given,
      { generator: randomGenerator(), budget: 4, selection: 'maxLoss' },
      createRng('worst'),
      async () => [losses.next().value as number],
      patient(3),
    );
    expect(found).toMatchObject({ steps: 3, chosen: 1, loss: 5 });
  });

  it('is made of small changes: real pictures, each near the one before, the same for the same chance', () => {
    for (const [name, change] of Object.entries(smallChanges))
      for (const size of [blobs(SIDE, 1), blobs(7, 2, 5), blobs(1, 3)]) {
        const [first, again] = [change(size, createRng(name)), change(size, createRng(name))];
        expect(first).toEqual(again);
        expect(first.data.length).toBe(size.data.length);
        expect(first.data.every((value) => value >= 0 && value <= 1)).toBe(true);
        if (size.width === SIDE) {
          expect(first).not.toEqual(size);
          expect(similarity(first, size)).toBeGreaterThan(0.5);
        }
      }
    expect(similarity(given, given)).toBeCloseTo(1, 12);
  });
});

describe('FMR', () => {
  const always = async (sample: { classIndex: number }) => sample.classIndex;

  async function measured(options: FmrOptions, oracle: (picture: Picture, truth: number) => number | null) {
    const { onnx, contract } = tinyClassifier({ key: 'attacked' });
    return withFiles({ 'model.onnx': onnx }, async (place) => {
      await using model = await openModel({ file: place('model.onnx'), contract });
      const variant = fmrVariant({ budget: 6, ...options });
      const rows = [];
      for (let i = 0; i < 8; i++) {
        const picture = blobs(SIDE, `fmr ${i}`);
        const said = argmax((await model.logits([picture]))[0] ?? []);
        // One of the eight is wrong from the start.
        const truth = i === 0 ? (said + 1) % 5 : said;
        const context = aroundOf(model, { oracle: async (_, seen) => oracle(seen, truth) });
        const done = await variant.apply(
          sampleOf(picture, truth),
          { level: 0, trial: 0 },
          createRng(`fmr ${i}`),
          context,
        );
        if ('invalid' in done) throw new Error(done.invalid);
        const isValidated = done.extra?.isValidated === 1;
        const predicted = argmax((await model.logits([done.picture]))[0] ?? []);
        rows.push({
          truth: String(truth),
          clean: String(said),
          isValidated,
          perturbed: isValidated ? String(predicted) : null,
          steps: Number(done.extra?.steps),
          isOracleRight: done.extra?.isOracleRight === 1,
          extra: done.extra,
        });
      }
      return { rows, fmr: fmrOf(countFmr(rows)) };
    });
  }

  it('is 100 % where nothing is changed', async () => {
    const { rows, fmr } = await measured({ generator: identityGenerator() }, (_, truth) => truth);
    expect(fmr).toMatchObject({ sa: 7 / 8, pa: 7 / 8, vr: 1, fmr: 1, fmrMatched: 1 });
    expect([meanSteps(rows), oracleAgreement(rows)]).toEqual([6, 1]);
    expect(rows[0]?.extra).toMatchObject({ length: 0, change: 0, steps: 6 });
  });

  it('falls where the model is asked what hurts it most, and less by chance alone', async () => {
    const loss = async (options: FmrOptions) => {
      const { rows } = await measured(options, (_, truth) => truth);
      return rows.reduce((sum, { extra }) => sum + Number(extra?.loss), 0);
    };
    const [still, random] = [
      await loss({ generator: identityGenerator() }),
      await loss({ generator: randomGenerator() }),
    ];
    expect(await loss({ generator: searchGenerator() })).toBeGreaterThan(Math.max(random, still));
    expect(await loss({ generator: squaresGenerator({ amount: 0.2 }) })).toBeGreaterThan(still);
  });

  it('has nothing to say where the oracle never sees the class, or cannot tell', async () => {
    for (const refuses of [() => null, (_: Picture, truth: number) => truth + 1]) {
      const { rows, fmr } = await measured({}, refuses);
      expect(fmr).toMatchObject({ vr: 0, pa: null, fmr: null, fmrMatched: null });
      expect([meanSteps(rows), oracleAgreement(rows)]).toEqual([null, 0]);
      expect(rows.every(({ extra }) => extra?.length === 0)).toBe(true);
    }
  });

  it('tells numbers that are none, and each class by itself', async () => {
    const broken = aroundOf(
      { logits: async (asked) => asked.map(() => Float32Array.of(Number.NaN, 0)), gradient: null },
      { oracle: always },
    );
    const sample = sampleOf(blobs(SIDE, 0), 0);
    expect(await fmrVariant().apply(sample, { level: 0, trial: 0 }, createRng('x'), broken)).toEqual({
      invalid: 'not-finite',
    });
    const row = (truth: string, perturbed: string | null) => ({
      ...{ truth, clean: truth, isValidated: perturbed !== null, perturbed },
    });
    const found = fmrByClass([row('a', 'a'), row('a', 'b'), row('b', null)], ['a', 'b', 'c']);
    expect(found.map(({ fmr }) => [fmr.vr, fmr.pa])).toEqual([
      [1, 0.5],
      [0, null],
      [null, null],
    ]);
  });
});

describe('people are asked about few pictures', () => {
  it('finds the furthest accepted one within 1 + ⌈log₂ B⌉ questions, whatever it is', () => {
    for (let length = 0; length <= 64; length++)
      for (let last = -1; last < length; last++) {
        const answers = new Map<number, boolean>();
        let state = nextQuestion(length, answers);
        while ('ask' in state) {
          expect(answers.has(state.ask)).toBe(false);
          answers.set(state.ask, state.ask <= last);
          state = nextQuestion(length, answers);
        }
        expect(state.last).toBe(last < 0 ? null : last);
        expect(answers.size).toBeLessThanOrEqual(maxQuestions(length));
      }
    expect(maxQuestions(50)).toBe(7);
  });

  it('believes a refusal more than a yes behind it', () => {
    const answers = new Map([
      [0, true],
      [4, false],
      [7, true],
    ]);
    expect(nextQuestion(9, answers)).toEqual({ ask: 2 });
  });

  it('may ask two only', () => {
    const ask = (last: number) => {
      const answers = new Map<number, boolean>();
      let state = nextOfTwoQuestions(50, answers);
      for (; 'ask' in state; state = nextOfTwoQuestions(50, answers))
        answers.set(state.ask, state.ask <= last);
      return [state.last, answers.size];
    };
    expect([49, 48, 24, 23].map(ask)).toEqual([
      [49, 1],
      [24, 2],
      [24, 2],
      [null, 2],
    ]);
  });
});

describe('oracles', () => {
  it('name the nearest words, and say when they cannot tell', () => {
    const words = [
      [1, 0, 0],
      [0, 5, 0],
    ];
    expect(classifyByEmbedding([3, 1, 0], words)).toBe(0);
    expect(classifyByEmbedding([1, 1.001, 0], words)).toBe(1);
    expect(classifyByEmbedding([1, 1.001, 0], words, 0.1)).toBeNull();
    expect(classifyByEmbedding([0, 0, 0], words)).toBeNull();
  });

  it('agree by more than half', async () => {
    const says = (value: number | null) => async () => value;
    const ask = (...votes: (number | null)[]) => majority(votes.map(says))(blobs(2, 0));
    expect([await ask(1, 1, 0), await ask(1, 0), await ask(null, null, 1), await ask()]).toEqual([
      1,
      null,
      null,
      null,
    ]);
  });
});
