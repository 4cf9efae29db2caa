import { describe, expect, it } from 'vitest';
import { centroidOf } from '@/lib/core/formats/derive';
import { fromBitmap } from '@/lib/core/mask';
import { studentQuantile } from '@/lib/core/quality/distributions';
import { checkpoints, PGD, stepFor, topOtherClasses } from '@/lib/core/robustness/attacks/apgd';
import { pgdAttack, squareAttack, standardAttacks } from '@/lib/core/robustness/attacks/attacks';
import { squareSide } from '@/lib/core/robustness/attacks/square';
import { searchGenerator } from '@/lib/core/robustness/fmr/generators';
import { fmrVariant } from '@/lib/core/robustness/fmr/variants';
import {
  backgroundGap,
  isInformative,
  meanCorruptionError,
  rfs,
  rfsOfMeans,
  shapeBias,
} from '@/lib/core/robustness/metrics/benchmark-scores';
import { countFmr, fmrOf } from '@/lib/core/robustness/metrics/fmr';
import type { Picture } from '@/lib/core/robustness/picture';
import { createRng, type Rng } from '@/lib/core/robustness/random';
import { alignment } from '@/lib/core/robustness/saliency/alignment';
import { classMap, resizeMap } from '@/lib/core/robustness/saliency/maps';
import { planSuites, type Setting } from '@/lib/core/robustness/suites';
import { identity } from '@/lib/core/robustness/variants/basic';
import {
  corruptions,
  corruptionVariants,
} from '@/lib/core/robustness/variants/corruptions/corruption-variant';
import { addNoise, LENGTHS, noisePair, SIGMAS } from '@/lib/core/robustness/variants/noise';
import { findAttribute, findObject } from '@/lib/core/robustness/variants/samples';
import { querySample } from '@/lib/services/evaluations/compute-rows';
import vectors from '@/test/fixtures/evaluation-vectors.json' with { type: 'json' };
import { aroundOf, blobs, sampleOf } from '@/test/services/evaluations/models';

const FIVE = [1, 2, 3, 4, 5];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const six = (value: number | null | undefined) => Number((value ?? Number.NaN).toFixed(6));
const flat = (side: number, value: number): Picture => ({
  width: side,
  height: side,
  data: new Float32Array(3 * side * side).fill(value),
});

/** What the specification says beside its file of vectors: each line is one sentence of it. */
describe('what the specification says in passing', () => {
  it('conventions: of equal logits the first; nothing that is not finite; the parts of an interval over seeds', async () => {
    const asked = (logits: number[]) =>
      querySample(
        {
          seed: 0,
          signal: new AbortController().signal,
          createContext: () => ({
            ...aroundOf({
              logits: async (given) => given.map(() => Float32Array.from(logits)),
              gradient: null,
            }),
            queries: 0,
          }),
        },
        identity(),
        sampleOf(blobs(4, 0), 1),
      );
    expect(await asked([2, 2, 1])).toEqual([[null, 0, expect.any(Number), 0, 1]]);
    expect(await asked([1, Number.NaN, 0])).toEqual([['not-finite', -1, 0, 0, 1]]);
    const { x, mean, half } = vectors.seedCI;
    const s = Math.sqrt(sum(x.map((value) => (value - mean) ** 2)) / 9);
    expect([six(s), six(studentQuantile(0.975, 9))]).toEqual([1.490712, 2.262157]);
    expect(half).toBeCloseTo((2.262157 * s) / Math.sqrt(10), 6);
  });

  it('class maps: logits before them, and nothing where nothing speaks for the class', () => {
    const { A, W, logits } = vectors.cam;
    const means = A.map((map) => sum(map.flat()) / 4);
    expect(W.map((row) => six(sum(row.map((w, k) => w * (means[k] as number)))))).toEqual(logits);
    const features = { channels: 2, width: 2, height: 2, data: A.flat(2) };
    const none = classMap(features, [-1, -1]);
    expect([...none, ...resizeMap(none, features, 8, 8)].every((value) => value === 0)).toBe(true);
  });

  it('noise: lengths as strengths, levels one by one, what the toy model says, what saturates, what it costs', async () => {
    // Over a whole picture of 224 pixels, and in an object of a tenth of it.
    const values = 3 * 224 * 224;
    expect(
      [LENGTHS[0], LENGTHS.at(-1)].map((each) => Number(((each ?? 0) / Math.sqrt(values)).toFixed(4))),
    ).toEqual([0.0644, 0.5155]);
    const side = 20;
    const object = Uint8Array.from({ length: side * side }, (_, i) => (i < (side * side) / 10 ? 1 : 0));
    const [inObject] = noisePair({ norm: 'l2', levels: [25], trials: 1 });
    const made = await inObject.apply(
      sampleOf(flat(side, 0.5), 0, { object }),
      { level: 25, trial: 0 },
      createRng('spread'),
      aroundOf({ logits: async () => [], gradient: null }),
    );
    const changes = 'picture' in made ? Array.from(made.picture.data, (value) => value - 0.5) : [];
    const squares = sum(changes.map((value) => value ** 2));
    expect(Math.sqrt(squares / (changes.length / 10))).toBeCloseTo(
      (25 / Math.sqrt(values)) * Math.sqrt(10),
      2,
    );
    const levels = vectors.rfsLevels.levels as [number, number][];
    expect(levels.map(([fg, bg]) => six(rfs(fg, bg)))).toEqual([1, 0.666667, 0.666667]);
    expect(six(rfsOfMeans([{ foreground: 0.5, background: 0.8 }]))).toBe(0.428571);
    const { x, m, n, toy } = vectors.noise;
    const given: Picture = { width: 4, height: 1, data: Float32Array.from([...x, ...x, ...x]) };
    const sees = ({ data }: Picture) =>
      six(1 / (1 + Math.exp(-sum(toy.w.map((w, i) => w * (data[i] as number))))));
    const noise = Float64Array.from([...n, ...n, ...n]);
    const [fg, bg] = [m, m.map((value) => 1 - value)].map((region) =>
      sees(addNoise(given, Uint8Array.from(region), noise, toy.sigma)),
    );
    expect([sees(given), fg, bg]).toEqual([0.524979, 0.668188, 0.645656]);
    const told = (accuracy: number) => isInformative({ foreground: accuracy, background: accuracy }, 10);
    expect([0.09, 0.1, 0.99, 0.995].map(told)).toEqual([false, true, true, false]);
    const runs = (norm: 'linf' | 'l2', quick = false) =>
      1 +
      sum(
        noisePair({ norm, ...(quick && { levels: SIGMAS.slice(0, 3), trials: 2 }) }).map(
          ({ cells }) => cells.length,
        ),
      );
    expect([runs('linf'), runs('l2'), runs('linf', true)]).toEqual([141, 161, 13]);
  });

  it('masks: below half a percent, the whole picture, and parts that are the whole object are left out', () => {
    const covering = (pixels: number) => Uint8Array.from({ length: 1000 }, (_, i) => (i < pixels ? 1 : 0));
    const picture: Picture = { width: 100, height: 10, data: new Float32Array(3000) };
    const reasonOf = (pixels: number) => {
      const found = findObject(sampleOf(picture, 0, { object: covering(pixels) }));
      return 'invalid' in found ? found.invalid : null;
    };
    expect([0, 4, 5, 999, 1000].map(reasonOf)).toEqual(['mask-empty', 'mask-tiny', null, null, 'mask-full']);
    const partOf = (pixels: number) => {
      const found = findAttribute(
        sampleOf(picture, 0, {
          object: covering(100),
          attributes: ['ears'],
          attributeRegions: { ears: covering(pixels) },
        }),
        'ears',
      );
      return 'invalid' in found ? found.invalid : null;
    };
    expect([0, 90, 91].map(partOf)).toEqual(['mask-empty', null, 'whole-object']);
  });

  it('saliency: what is not defined, what even saliency gives, and recall from below as from above', () => {
    const m = [1, 1, 0, 0, 1, 0];
    expect(alignment([0, 0, 0, 0, 0, 0], m)).toMatchObject({
      ...{ iou: 0, recall: 0, precision: null, averagePrecision: null, isEmpty: true },
    });
    for (const value of Object.values(alignment([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0])))
      expect(value === null || value === false).toBe(true);
    expect(alignment([1, 0, 0.5], [1, 1, 1])).toMatchObject({ delta: null, precision: 1 });
    expect(alignment([0.25, 0.25, 0.25, 0.25, 0.25, 0.25], m)).toMatchObject({
      precision: 0.5,
      lift: 1,
      delta: 0,
    });
    // A map of another scale, whose half is 0.4: by half of its maximum, not by 0.5.
    expect(alignment(vectors.saliency[1]?.s ?? [], m).iou).toBe(0.5);
    const rng = createRng('recall');
    for (let round = 0; round < 2000; round++) {
      const s = Array.from({ length: 12 }, () => rng.below(5) / 4);
      const mask = s.map(() => rng.below(2));
      const [total, object] = [sum(s), sum(mask)];
      if (total === 0 || object === 0) continue;
      // As published: the first value, ascending, where the running sum exceeds a quarter.
      let [running, threshold] = [0, 0];
      for (const value of s.toSorted((a, b) => a - b)) {
        running += value;
        threshold = value;
        if (running > total / 4) break;
      }
      const kept = s.map((value) => (value >= threshold ? 1 : 0));
      const found = alignment(s, mask);
      expect(found.recall).toBeCloseTo(sum(kept.map((value, i) => value * (mask[i] as number))) / object, 12);
      expect(sum(kept.map((value, i) => value * (s[i] as number))) / total).toBeGreaterThanOrEqual(0.75);
      expect(found.iouAsPrinted).toBeCloseTo((found.iou ?? 0) / (1 + (found.iou ?? 0)), 12);
    }
    const [{ s: first, m: drawn, recall }] = vectors.saliency as [(typeof vectors.saliency)[0]];
    const share = sum(first.filter((value) => value >= 0.5)) / sum(first);
    expect([six(share), recall]).toEqual([0.869565, alignment(first, drawn).recall]);
  });

  it('FMR: Table 13 class by class, populations, and what it is not', () => {
    const { n, classes, cleanCorrect, validated, perturbedCorrect } = vectors.fmrTable13;
    expect([cleanCorrect, validated, perturbedCorrect].map(sum)).toEqual([1246, 1102, 308]);
    const of = (name: string) => {
      const i = classes.indexOf(name);
      return fmrOf({
        images: n,
        cleanCorrect: cleanCorrect[i] as number,
        validated: validated[i] as number,
        perturbedCorrect: perturbedCorrect[i] as number,
      });
    };
    // Half of the primates were not validated, and what is left looks robust.
    const primates = of('Primate');
    expect(primates.vr).toBe(0.48);
    expect(Math.round((primates.fmr ?? 0) * 100)).toBe(62);
    expect(Math.max(...classes.map((name) => of(name).fmr ?? 0))).toBe(primates.fmr);
    const rows = (vectors.fmrToy.rows as [string, string, boolean, string | null][]).map(
      ([truth, clean, isValidated, perturbed]) => ({ truth, clean, isValidated, perturbed }),
    );
    const counts = countFmr(rows);
    expect(counts.cleanCorrectValidated / counts.validated).toBe(0.8);
    const asClean = rows.map((row) => ({ ...row, isValidated: true, perturbed: row.perturbed ?? row.clean }));
    const other = fmrOf(countFmr(asClean));
    expect([six(other.pa), six(other.fmr)]).toEqual([0.5, 0.6]);
    const counted = { images: 10, validated: 5, perturbedCorrect: 5 };
    expect(fmrOf({ ...counted, cleanCorrect: 0 }).fmr).toBeNull();
    expect(fmrOf({ ...counted, cleanCorrect: 8 }).fmr).toBe(1.25);
    expect(fmrOf({ images: 0, cleanCorrect: 0, validated: 0, perturbedCorrect: 0 })).toMatchObject({
      ...{ sa: null, vr: null, pa: null, fmr: null },
    });
    const cost = (candidates: number, budget: number) =>
      fmrVariant({ generator: searchGenerator({ candidates }), budget }).runs;
    // Of the model; with one question to the oracle for each step.
    expect([cost(8, 50), cost(4, 10)]).toEqual([400 + 50, 40 + 10]);
  });

  it('attacks: steps, checkpoints, targets, squares, and the linear model', () => {
    const eps = 8 / 255;
    expect([stepFor(eps, 100), stepFor(eps, 10), PGD.step]).toEqual([0.001, eps / 4, 0.001]);
    expect(pgdAttack().runs).toBe(5 * 101);
    expect(checkpoints(100)).toEqual([22, 41, 57, 70, 80, 87, 93, 99]);
    expect([squareAttack().runs, standardAttacks(false).map(({ id }) => id)]).toEqual([5000, ['square']]);
    const logits = Array.from({ length: 12 }, (_, i) => i);
    expect([12, 5, 2].map((classes) => topOtherClasses(logits.slice(0, classes), 0, 9).length)).toEqual([
      9, 4, 1,
    ]);
    // p = 0.8, halved after each of these.
    const ends = [10, 50, 200, 500, 1000, 2000, 4000, 6000, 8000];
    ends.forEach((end, i) => {
      const side = (halved: number) => Math.round(Math.sqrt((0.8 / 2 ** halved) * 224 * 224));
      expect([squareSide(end, 224, 224), squareSide(end + 1, 224, 224)]).toEqual([side(i), side(i + 1)]);
    });
    expect([squareSide(9999, 4, 4), squareSide(0, 64, 16)]).toEqual([1, 16]);
    const { w, b, x, radius } = vectors.linear;
    const f = (at: readonly number[]) => six(sum(at.map((value, i) => value * (w[i] as number))) + b);
    const length = sum(w.map(Math.abs));
    expect([f(x), length, six((f(x) as number) / length)]).toEqual([0.4, 3.5, six(radius)]);
    const worst = x.map((value, i) => six(value - 0.12 * Math.sign(w[i] as number)));
    expect([worst, f(worst)]).toEqual([[0.38, 0.32, 0.28], -0.02]);
  });

  it('corruptions: each severity of the table, by streams that are known', async () => {
    const made = async (id: string, severity: number, picture: Picture, rng: Partial<Rng>, context = {}) => {
      const corruption = corruptions.find((each) => each.id === id);
      if (!corruption) throw new Error(id);
      const { data } = await corruption.apply(
        picture,
        severity,
        { ...createRng(id), ...rng },
        {
          compressJpeg: async (given) => given,
          ...context,
        },
      );
      return Array.from(data);
    };
    const gray = flat(2, 0.5);
    const table: [string, number[], (severity: number) => Promise<number>][] = [
      [
        'gaussian-noise',
        [0.08, 0.12, 0.18, 0.26, 0.38],
        async (at) => ((await made('gaussian-noise', at, gray, { normal: () => 1 }))[0] ?? 0) - 0.5,
      ],
      [
        'impulse-noise',
        [0.03, 0.06, 0.09, 0.17, 0.27],
        // The share of draws, in thousandths, that lose a value.
        async (at) => {
          let draw = 0;
          const picture = { width: 1000, height: 1, data: new Float32Array(3000).fill(0.5) };
          const found = await made('impulse-noise', at, picture, { unit: () => (draw++ % 1000) / 1000 });
          expect(found.filter((value) => value === 0).length).toBeCloseTo(
            found.filter((value) => value === 1).length,
            -1,
          );
          return found.filter((value) => value !== 0.5).length / found.length;
        },
      ],
      [
        'brightness',
        [0.1, 0.2, 0.3, 0.4, 0.5],
        async (at) => ((await made('brightness', at, gray, {}))[0] ?? 0) - 0.5,
      ],
      [
        'contrast',
        [0.4, 0.3, 0.2, 0.1, 0.05],
        async (at) => {
          const two = { width: 2, height: 1, data: Float32Array.of(0, 1, 0, 1, 0, 1) };
          const [low = 0, high = 0] = await made('contrast', at, two, {});
          return high - low;
        },
      ],
      [
        'jpeg-compression',
        [25, 18, 15, 10, 7],
        async (at) => {
          let asked = 0;
          await made(
            'jpeg-compression',
            at,
            gray,
            {},
            {
              compressJpeg: async (given: Picture, quality: number) => {
                asked = quality;
                return given;
              },
            },
          );
          return asked;
        },
      ],
      [
        'shot-noise',
        [60, 25, 12, 5, 3],
        // Light comes in steps of one photon: the smallest brightness that occurs.
        async (at) => {
          const found = await made('shot-noise', at, flat(64, 0.05), {});
          return 1 / Math.min(...found.filter((value) => value > 0));
        },
      ],
    ];
    for (const [id, wanted, found] of table) {
      const all = await Promise.all(FIVE.map(found));
      all.forEach((value, i) => {
        expect(value, `${id} ${i + 1}`).toBeCloseTo(wanted[i] as number, 2);
      });
    }
    const { err } = vectors.mce;
    // Without a reference, the mean of all errors.
    expect(
      meanCorruptionError(err.map((errors) => ({ errors, reference: errors.map(() => 1) }))),
    ).toBeCloseTo(0.445, 9);
    const cells = (chosen = {}) => sum(corruptionVariants(chosen).map((variant) => variant.cells.length));
    expect([
      cells(),
      cells({ types: corruptions.slice(0, 8).map(({ id }) => id), levels: [1, 3, 5] }),
    ]).toEqual([75, 24]);
  });

  it('backgrounds, cues, labels and attributes', () => {
    expect(six(backgroundGap(0.862, 0.789))).toBe(0.073);
    const rows = (vectors.shapeBias.rows as [string, string, string][]).map(([shape, texture, decision]) => ({
      ...{ shape, texture, decision },
    }));
    expect(shapeBias(rows)).toMatchObject({ conflicts: 7, shape: 4, texture: 2 });
    expect(shapeBias([{ shape: 'cat', texture: 'dog', decision: 'bird' }])).toMatchObject({
      ...{ bias: null, cueAccuracy: 0 },
    });
    expect(shapeBias([]).cueAccuracy).toBeNull();
    const { mask } = vectors.labels;
    const [height, width] = [mask.length, mask[0]?.length ?? 0];
    const found = centroidOf(fromBitmap(Uint8Array.from(mask.flat()), height, width));
    expect([six(((found?.spreadX ?? 0) / width) * 2), six(((found?.spreadY ?? 0) / height) * 2)]).toEqual([
      0.144338, 0.331662,
    ]);
    const single = centroidOf(fromBitmap(Uint8Array.of(0, 1, 0, 0), 2, 2));
    expect([single?.x, single?.y, single?.spreadX, single?.spreadY]).toEqual([1, 0, 0, 0]);
    // One step of regression tells the classes apart already.
    const { X, y, lr1 } = vectors.attr;
    for (const [i, row] of X.entries())
      expect(sum(row.map((value, a) => value * (lr1.W0[a] as number))) + lr1.b0 >= 0 ? 0 : 1).toBe(y[i]);
  });

  it('presets: attacks and FMR on fifty images, and no preset asks more than was written down', () => {
    const setting: Setting = {
      ...{ preset: 'quick', seed: 0, side: 64, attributes: [], marked: [] },
      classes: ['cat', 'dog', 'bird', 'ship'],
      offers: { gradient: false, oracle: true, features: true },
    };
    const runsOf = (suite: string, preset: Setting['preset'], pattern: RegExp) =>
      sum(
        planSuites(suite, { ...setting, preset })
          .variants.filter(({ id }) => pattern.test(id))
          .map(({ cells, runs }) => cells.length * runs),
      );
    expect(['quick', 'paper'].map((preset) => runsOf('noise', preset as 'quick', /linf/))).toEqual([12, 140]);
    expect(runsOf('corruptions', 'paper', /^corrupt\.[a-z-]+$/)).toBe(75);
    expect(runsOf('corruptions', 'quick', /^corrupt\.[a-z-]+$/)).toBe(24);
    expect(runsOf('fmr', 'quick', /search/)).toBe(10 * 4 + 10);
    expect(runsOf('fmr', 'paper', /search/)).toBe(50 * 8 + 50);
    for (const { id, maxImages } of planSuites('all', setting).variants)
      if (/^(attack|fmr)/.test(id)) expect([id, maxImages]).toEqual([id, 50]);
  });
});
