import { describe, expect, it } from 'vitest';
import { apgdAttack, squareAttack } from '@/lib/core/robustness/attacks/attacks';
import {
  adversarial,
  suspicionsAfter,
  suspicionsBefore,
  suspicionsOfSweep,
} from '@/lib/core/robustness/attacks/warnings';
import { aroundOf, blobs, linearModel } from './support/models';

const [black, white] = [squareAttack(), apgdAttack()];
const row = (brokenBy: string | null, queries = 0) => ({ isRobust: brokenBy === null, brokenBy, queries });

describe('accuracy under attack', () => {
  it('eight of ten are right, Square breaks three: half is left, and it is an upper bound', () => {
    const rows = [
      ...[row('clean'), row('clean')],
      ...[row('square', 10), row('square', 40), row('square', 700)],
      ...Array.from({ length: 5 }, () => row(null, 5000)),
    ];
    const found = adversarial(rows, [black], 12);
    expect(found.clean.value).toBe(0.8);
    expect(found.accuracy).toMatchObject({ value: 0.5, n: 10, of: 12 });
    expect(found.after).toMatchObject([{ attack: 'square', broke: 3, accuracy: { value: 0.5 } }]);
    expect([found.successRate, found.medianQueries, found.isUpperBound]).toEqual([3 / 8, 40, true]);
    expect(adversarial(rows, [white, black]).isUpperBound).toBe(false);
    expect(adversarial([], [black]).accuracy.value).toBeNull();
  });

  it('is not believed where squares find what gradients missed', () => {
    const rows = [row('apgd-ce', 5), row('square', 900), ...Array.from({ length: 98 }, () => row(null))];
    expect(suspicionsAfter(adversarial(rows, [white, black])).map(({ code }) => code)).toEqual([
      'square-beats-gradients',
    ]);
    expect(suspicionsAfter(adversarial(rows.slice(2), [white, black]))).toEqual([]);
    expect(suspicionsAfter(adversarial(rows, [black]))).toEqual([]);
  });

  it('must fall over growing radii and end near nothing', () => {
    const sweep = (...accuracies: number[]) =>
      suspicionsOfSweep(accuracies.map((accuracy, i) => ({ radius: 8 * (i + 1), accuracy, n: 100 }))).map(
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
    const codes = async (around: typeof plain, kind: 'logits' | 'probs' = 'logits') =>
      (await suspicionsBefore(given, around, kind)).map(({ code }) => code);
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
