import { describe, expect, it } from 'vitest';
import { dlrSeed, topOtherClasses } from '@/lib/core/robustness/attacks/apgd';
import {
  type Attack,
  apgdAttack,
  attackVariant,
  fabAttack,
  pgdAttack,
  squareAttack,
  standardAttacks,
  targetedApgdAttack,
} from '@/lib/core/robustness/attacks/attacks';
import { projectToPlane } from '@/lib/core/robustness/attacks/fab';
import {
  checkAttackResults,
  checkBeforeAttacks,
  checkRadiusSweep,
  measureAdversarial,
} from '@/lib/core/robustness/attacks/warnings';
import { targetedDlr } from '@/lib/core/robustness/logits';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng } from '@/lib/core/robustness/random';
import type { Outcome, Sample, VariantContext } from '@/lib/core/robustness/types';
import { openModel } from '@/lib/services/inference/runner/open-model';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import {
  argmax,
  aroundOf,
  blobs,
  linearModel,
  sampleOf,
  withFiles,
} from '@/test/services/evaluations/models';
import { SIDE, tinyClassifier } from '@/test/support/tiny-classifier';

const every: Attack[] = [
  squareAttack({ queries: 400 }),
  pgdAttack({ steps: 40, restarts: 2 }),
  apgdAttack({ iterations: 30 }),
  targetedApgdAttack({ iterations: 30 }),
  fabAttack({ iterations: 12 }),
];
const gradients = every.filter(({ needsGradient }) => needsGradient);

type Done = Exclude<Outcome, { invalid: unknown }>;

async function attack(
  attacks: readonly Attack[],
  sample: Sample,
  radius: number,
  context: VariantContext,
  where: 'all' | 'object' | 'background' = 'all',
): Promise<Done> {
  const variant = attackVariant(attacks, { radii: [radius], where });
  const [cell] = variant.cells;
  const done = await variant.apply(
    sample,
    cell as (typeof variant.cells)[0],
    createRng(`tessera|test|${variant.id}|${sample.id}`),
    context,
  );
  if ('invalid' in done) throw new Error(done.invalid);
  return done;
}

/** As exact as float32 is. */
function expectWithin(found: Picture, centre: Picture, radius: number): void {
  found.data.forEach((value, i) => {
    if (value < 0 || value > 1) throw new Error(`${value} is no colour.`);
    const change = Math.abs(value - (centre.data[i] as number));
    if (change > radius / 255 + 1e-6) throw new Error(`A change of ${change} at ${radius}/255.`);
  });
}

describe('a linear model, whose radius is known', () => {
  const { w, b, x, radius, marginAt } = vectors.linear;
  const picture: Picture = { width: 1, height: 1, data: Float32Array.from(x) };
  const context = aroundOf(linearModel(w, b));

  it.each(every.map((each) => [each.id, each] as const))(
    '%s finds what is there and nothing else',
    async (_, each) => {
      for (const [eps = 0, margin = 0] of marginAt) {
        const { picture: found, extra } = await attack([each], sampleOf(picture, 0), eps * 255, context);
        expect(extra?.isRobust).toBe(eps < radius ? 1 : 0);
        const [logits] = await context.query([found]);
        // Only gradients promise the very corner.
        if (each.needsGradient && eps > radius) expect(logits?.[0]).toBeLessThan(0);
        expect(logits?.[0]).toBeGreaterThanOrEqual(margin - 1e-6);
        expectWithin(found, picture, eps * 255);
      }
    },
  );

  it('falls the sooner the larger the radius, and never below the exact one', async () => {
    const rng = createRng('tessera|test|linear');
    const weights = Array.from({ length: 3 * 16 * 16 }, () => rng.normal());
    const given: Picture = {
      width: 16,
      height: 16,
      data: Float32Array.from(weights, () => 0.3 + 0.4 * rng.unit()),
    };
    const at = given.data.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
    const length = weights.reduce((sum, value) => sum + Math.abs(value), 0);
    const exact = 0.02;
    const model = aroundOf(linearModel(weights, exact * length - at));
    const sample = sampleOf(given, 0);
    for (const each of every) {
      const below = await attack([each], sample, 0.97 * exact * 255, model);
      expect([each.id, below.extra?.isRobust]).toEqual([each.id, 1]);
    }
    for (const each of gradients) {
      const above = await attack([each], sample, 1.05 * exact * 255, model);
      expect([each.id, above.extra?.isRobust]).toEqual([each.id, 0]);
    }
    const squares = [squareAttack({ queries: 5000 })];
    expect((await attack(squares, sample, 1.05 * exact * 255, model)).extra).toMatchObject({ isRobust: 1 });
    const queries = [];
    for (const times of [1.5, 2, 3, 5, 8])
      queries.push(Number((await attack(squares, sample, times * exact * 255, model)).extra?.queries));
    expect(queries[0]).toBeLessThan(5000);
    expect(queries).toEqual(queries.toSorted((a, b) => b - a));
    expect(queries[3]).toBeLessThan((queries[0] as number) / 5);
  });
});

describe('a small network', () => {
  const tiny = tinyClassifier({ key: 'attacked' });
  const files = { 'model.onnx': tiny.onnx, 'model.grad.onnx': tiny.gradient };
  const withModel = (work: (context: VariantContext, samples: Sample[]) => Promise<void>, given = files) =>
    withFiles(given, async (place) => {
      const classes = given === files ? tiny.contract.classes : tiny.contract.classes.slice(0, 2);
      await using model = await openModel({
        file: place('model.onnx'),
        gradientFile: place('model.grad.onnx'),
        contract: { ...tiny.contract, classes },
      });
      const pictures = Array.from({ length: 10 }, (_, i) => blobs(SIDE, `victim ${i}`));
      const said = await model.logits(pictures);
      await work(
        aroundOf(model),
        pictures.map((picture, i) => sampleOf(picture, argmax(said[i] ?? []), { id: `victim ${i}` })),
      );
    });
  const standing = async (attacks: Attack[], samples: Sample[], radius: number, context: VariantContext) => {
    let count = 0;
    for (const sample of samples) {
      const { picture, extra } = await attack(attacks, sample, radius, context);
      expectWithin(picture, sample.picture, radius);
      const [logits] = await context.query([picture]);
      // What is told is what the picture does.
      expect(argmax(logits ?? []) === sample.classIndex).toBe(extra?.isRobust === 1);
      count += Number(extra?.isRobust);
    }
    return count;
  };

  it('stands the less the larger the radius; APGD leaves no more than PGD; the chain no more than any', async () => {
    await withModel(async (context, samples) => {
      const found: Record<string, number[]> = {};
      for (const each of every) {
        found[each.id] = [];
        for (const radius of [0, 4, 64])
          found[each.id]?.push(await standing([each], samples, radius, context));
      }
      for (const counts of Object.values(found)) {
        expect(counts[0]).toBe(samples.length);
        expect(counts).toEqual(counts.toSorted((a, b) => b - a));
      }
      const at = (id: string) => found[id]?.[1] ?? Number.NaN;
      expect(at('pgd')).toBeLessThan(samples.length);
      expect(at('apgd-ce')).toBeLessThanOrEqual(at('pgd') + 1);
      expect(at('square')).toBeGreaterThanOrEqual(at('apgd-t') - 1);
      const chain = standardAttacks(true, { iterations: 20, queries: 100 });
      expect(await standing(chain, samples, 4, context)).toBeLessThanOrEqual(
        Math.min(at('apgd-ce'), at('apgd-t')),
      );
    });
  });

  it('can be attacked in the object or beside it only, and the rest stays bit for bit', async () => {
    await withModel(async (context, samples) => {
      const object = Uint8Array.from({ length: SIDE * SIDE }, (_, i) => (i % SIDE > 5 && i < 120 ? 1 : 0));
      for (const where of ['object', 'background'] as const)
        for (const each of every) {
          const sample: Sample = { ...(samples[0] as Sample), object };
          const { picture } = await attack([each], sample, 16, context, where);
          const isMine = (i: number) => (object[i % object.length] === 1) === (where === 'object');
          picture.data.forEach((value, i) => {
            if (!isMine(i)) expect(value).toBe(sample.picture.data[i]);
          });
          expect(picture.data.some((value, i) => value !== sample.picture.data[i])).toBe(true);
        }
      const bare = attackVariant(every, { where: 'object' });
      const cell = { level: 8, trial: 0 };
      expect(await bare.apply(samples[0] as Sample, cell, createRng('x'), context)).toEqual({
        invalid: 'mask-missing',
      });
    });
  });

  it('may have two classes only', async () => {
    const two = tinyClassifier({ key: 'pair', classes: 2 });
    await withModel(
      async (context, samples) => {
        expect(await standing([targetedApgdAttack({ iterations: 20 })], samples, 64, context)).toBeLessThan(
          5,
        );
        expect(
          await standing(standardAttacks(true, { iterations: 20, queries: 50 }), samples, 0, context),
        ).toBe(10);
      },
      { 'model.onnx': two.onnx, 'model.grad.onnx': two.gradient },
    );
  });

  it('counts a picture that was wrong before as fallen, without a question', async () => {
    await withModel(async (context, samples) => {
      const [first] = samples as [Sample];
      const wrong = { ...first, classIndex: (first.classIndex + 1) % 5 };
      const { picture, extra } = await attack(every, wrong, 8, context);
      expect(picture).toBe(wrong.picture);
      expect(extra).toEqual({ queries: 0, isRobust: 0, brokenBy: 'clean', change: 0 });
      const nan: VariantContext = {
        ...context,
        query: async (asked) => asked.map(() => Float32Array.of(1, Number.NaN)),
      };
      const variant = attackVariant(every);
      expect(await variant.apply(first, { level: 8, trial: 0 }, createRng('x'), nan)).toEqual({
        invalid: 'not-finite',
      });
    });
  });
});

describe('the nearest point of a plane', () => {
  it('is as near as can be within the range of colours, and on the plane where that allows it', () => {
    const rng = createRng('tessera|test|plane');
    const product = (weights: Float32Array, change: (at: number) => number) =>
      weights.reduce((sum, weight, at) => sum + weight * change(at), 0);
    for (let round = 0; round < 200; round++) {
      const x = Float32Array.from({ length: 12 }, () => rng.unit());
      const weights = Float32Array.from(x, () => (rng.unit() < 0.2 ? 0 : rng.normal()));
      const isOpen = (at: number) => at % 5 !== 4;
      const most = projectToPlane(x, weights, 1e6, isOpen);
      const reach = product(weights, most.change);
      const rise = reach * rng.unit();
      const found = projectToPlane(x, weights, rise, isOpen);
      expect(product(weights, found.change)).toBeCloseTo(rise, 5);
      x.forEach((value, at) => {
        const change = found.change(at);
        if (!isOpen(at)) expect(change).toBe(0);
        expect(value + change).toBeGreaterThanOrEqual(-1e-6);
        expect(value + change).toBeLessThanOrEqual(1 + 1e-6);
        expect(Math.abs(change)).toBeLessThanOrEqual(found.length + 1e-6);
      });
      // Anything shorter stays before the plane.
      const shorter = (at: number) => {
        const by = found.change(at);
        return Math.sign(by) * Math.min(Math.abs(by), 0.99 * found.length);
      };
      if (rise > 1e-3) expect(product(weights, shorter)).toBeLessThan(rise);
    }
    // f = .4 at the vector's x, and ‖w‖₁ = 3.5.
    const { w, x, radius } = vectors.linear;
    const { length } = projectToPlane(Float32Array.from(x), Float32Array.from(w), -0.4, () => true);
    expect(length).toBeCloseTo(radius, 6);
  });
});

describe('the loss towards a class', () => {
  it('has the derivative that it says', () => {
    const rng = createRng('tessera|test|ratio');
    for (let round = 0; round < 50; round++) {
      const logits = Array.from({ length: 4 + rng.below(5) }, () => 3 * rng.normal());
      const truth = rng.below(logits.length);
      const [target] = topOtherClasses(logits, truth, 1) as [number];
      const seed = dlrSeed(logits, truth, target);
      logits.forEach((_, i) => {
        const at = (by: number) =>
          targetedDlr(
            logits.map((value, j) => value + (i === j ? by : 0)),
            truth,
            target,
          );
        expect(seed[i]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 3);
      });
    }
    expect(topOtherClasses([1, 5, 3, 5], 2, 9)).toEqual([1, 3, 0]);
  });
});

const [black, white] = [squareAttack(), apgdAttack()];
const row = (brokenBy: string | null, queries = 0) => ({ isRobust: brokenBy === null, brokenBy, queries });

describe('accuracy under attack', () => {
  it('eight of ten are right, Square breaks three: half is left, and it is an upper bound', () => {
    const rows = [
      ...[row('clean'), row('clean')],
      ...[row('square', 10), row('square', 40), row('square', 700)],
      ...Array.from({ length: 5 }, () => row(null, 5000)),
    ];
    const found = measureAdversarial(rows, [black], 12);
    expect(found.clean.value).toBe(0.8);
    expect(found.accuracy).toMatchObject({ value: 0.5, n: 10, of: 12 });
    expect(found.after).toMatchObject([{ attack: 'square', broke: 3, accuracy: { value: 0.5 } }]);
    expect([found.successRate, found.medianQueries, found.isUpperBound]).toEqual([3 / 8, 40, true]);
    expect(measureAdversarial(rows, [white, black]).isUpperBound).toBe(false);
    expect(measureAdversarial([], [black]).accuracy.value).toBeNull();
  });

  it('is not believed where squares find what gradients missed', () => {
    const rows = [row('apgd-ce', 5), row('square', 900), ...Array.from({ length: 98 }, () => row(null))];
    expect(checkAttackResults(measureAdversarial(rows, [white, black])).map(({ code }) => code)).toEqual([
      'square-beats-gradients',
    ]);
    expect(checkAttackResults(measureAdversarial(rows.slice(2), [white, black]))).toEqual([]);
    expect(checkAttackResults(measureAdversarial(rows, [black]))).toEqual([]);
  });

  it('must fall over growing radii and end near nothing', () => {
    const sweep = (...accuracies: number[]) =>
      checkRadiusSweep(accuracies.map((accuracy, i) => ({ radius: 8 * (i + 1), accuracy, n: 100 }))).map(
        ({ code }) => code,
      );
    expect(sweep(0.5, 0.3, 0.1, 0)).toEqual([]);
    expect(sweep(0.5, 0.3, 0.3, 0.3)).toEqual(['sweep-stays']);
    expect(sweep(0.2, 0.4, 0.1, 0)).toEqual(['sweep-rises']);
    // One picture more is no rise.
    expect(sweep(0.2, 0.21, 0.1, 0)).toEqual([]);
  });

  it('is not believed of a model without a gradient, with chance in it, or with probabilities', async () => {
    const given = [0, 1, 2].map((key) => ({ picture: blobs(4, key), classIndex: 0 }));
    const plain = aroundOf(linearModel(new Array(48).fill(1), 0));
    const codes = async (context: typeof plain, kind: 'logits' | 'probs' = 'logits') =>
      (await checkBeforeAttacks(given, context, kind)).map(({ code }) => code);
    expect(await codes(plain)).toEqual([]);
    expect(await codes(plain, 'probs')).toEqual(['probabilities']);
    expect(await codes(aroundOf(linearModel(new Array(48).fill(0), 1)))).toEqual(['zero-gradient']);
    let turn = 0;
    const restless = {
      ...plain,
      gradient: null,
      query: async (pictures: readonly unknown[]) => pictures.map(() => Float32Array.of(++turn, 0)),
    };
    expect(await codes(restless)).toEqual(['randomised']);
  });
});
