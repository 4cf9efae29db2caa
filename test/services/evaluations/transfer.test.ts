import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tables } from '@/db';
import { systemActor } from '@/lib/core/actor';
import {
  countFmr,
  type FmrRow,
  fmrOf,
  type TransferRow,
  transferMatrix,
} from '@/lib/core/robustness/metrics/fmr';
import { findFinding, groupIntoBoards } from '@/lib/services/evaluations/leaderboard';
import { listEvaluations } from '@/lib/services/evaluations/list-evaluations';
import {
  listTransferPictures,
  readTransfer,
  TransferQuery,
} from '@/lib/services/evaluations/transfer/read-transfer';
import { runTransfer } from '@/lib/services/evaluations/transfer/run-transfer';
import {
  estimateTransferRuns,
  selectTransferModels,
  startTransfer,
} from '@/lib/services/evaluations/transfer/start-transfer';
import { storage } from '@/lib/services/storage';
import { useDatabase } from '../../support/database';
import { useHome } from '../../support/home';
import { tinyOnnx } from '../../support/tiny-onnx';
import { jobIn } from '../curation/audit/rated';
import { brightParts, SIDE } from '../training/loop-model';
import { studio } from './projects';

const row = (from: string, to: string, said: string): TransferRow => {
  const [truth = '', clean = '', perturbed = ''] = said.split(' ');
  return { from, to, truth, clean, isValidated: perturbed !== '', perturbed: perturbed || null };
};

describe('the transfer matrix', () => {
  it('is as counted by hand', () => {
    // A is right on 3 of 4 clean pictures, B on 2 of 4. The last picture made against A was not validated.
    const [a, b] = transferMatrix(
      [
        ...['cat cat dog', 'cat cat cat', 'dog cat cat', 'dog dog'].map((said) => row('A', 'A', said)),
        ...['cat cat cat', 'cat dog cat', 'dog dog cat', 'dog cat'].map((said) => row('A', 'B', said)),
        ...['cat cat cat', 'cat cat cat', 'dog cat dog', 'dog dog dog'].map((said) => row('B', 'A', said)),
      ],
      ['A', 'B'],
    );
    // One of three validated ones over three of four.
    expect(a?.[0]).toMatchObject({ sa: 3 / 4, pa: 1 / 3, fmr: 4 / 9, counts: { images: 4, validated: 3 } });
    // Two of the same three over two of four: what misleads A helps B.
    expect(a?.[1]).toMatchObject({ sa: 2 / 4, pa: 2 / 3, fmr: 4 / 3, counts: { validated: 3 } });
    expect(b?.[0]).toMatchObject({ pa: 1, fmr: 4 / 3, counts: { validated: 4, perturbedCorrect: 4 } });
    // Nobody showed B its own.
    expect(b?.[1]).toBeNull();
  });

  it('has on its diagonal what FMR says of each model by itself, whatever the others were shown', () => {
    const label = fc.constantFrom('cat', 'dog', 'bird');
    const own = fc.array(
      fc
        .record({ truth: label, clean: label, isValidated: fc.boolean(), perturbed: label })
        .map((drawn): FmrRow => ({ ...drawn, perturbed: drawn.isValidated ? drawn.perturbed : null })),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(
        fc.array(own, { minLength: 1, maxLength: 4 }),
        fc.array(own, { maxLength: 4 }),
        (alone, across) => {
          const models = alone.map((_, i) => `model ${i}`);
          const between = (rows: FmrRow[], from: number, to: number): TransferRow[] =>
            rows.map((each) => ({ ...each, from: `model ${from}`, to: `model ${to}` }));
          const matrix = transferMatrix(
            [
              ...across.flatMap((rows, i) => between(rows, i % models.length, (i + 1) % models.length)),
              ...alone.flatMap((rows, i) => (models.length > 1 ? between(rows, i, i) : [])),
            ],
            models,
          );
          expect(matrix.map((line) => line.length)).toEqual(models.map(() => models.length));
          if (models.length > 1)
            alone.forEach((rows, i) => {
              expect(matrix[i]?.[i]).toEqual({ ...fmrOf(countFmr(rows)), counts: countFmr(rows) });
            });
        },
      ),
    );
  });
});

/** Says the class by the left half of the picture only: other pictures mislead it than one that looks at all of it. */
const leftParts = (): Buffer =>
  tinyOnnx({
    inputs: { image: ['batch', 3, SIDE, SIDE] },
    outputs: { logits: ['batch', 2], masks: ['batch', 2, SIDE, SIDE], features: ['batch', 3, SIDE, SIDE] },
    weights: {
      left: { dims: [1, 1, 1, SIDE], values: Array.from({ length: SIDE }, (_, x) => (x < SIDE / 2 ? 1 : 0)) },
    },
    nodes: [
      { op: 'ReduceMean', inputs: ['image'], outputs: ['all'], ints: { axes: [1] } },
      { op: 'Mul', inputs: ['all', 'left'], outputs: ['bright'] },
      { op: 'Neg', inputs: ['bright'], outputs: ['dark'] },
      { op: 'Concat', inputs: ['dark', 'bright'], outputs: ['masks'], int: { axis: 1 } },
      {
        op: 'ReduceMean',
        inputs: ['masks'],
        outputs: ['logits'],
        ints: { axes: [2, 3] },
        int: { keepdims: 0 },
      },
      { op: 'Identity', inputs: ['image'], outputs: ['features'] },
    ],
  });

describe('a researcher shows models each other’s pictures', () => {
  useHome();
  const db = useDatabase();
  const actor = systemActor('Test');

  it('finds each by itself on the diagonal, all pictures behind each cell, and asks nothing twice', async () => {
    const { projectId, addModel, evaluate } = await studio(db(), 'shown');
    const judge = await addModel('Judge', brightParts('n'));
    const settings = { suite: 'fmr' as const, oracle: [judge], images: 4 };
    const bright = await evaluate({ model: await addModel('Bright'), ...settings });
    const left = await evaluate({ model: await addModel('Left', leftParts()), ...settings });
    const ids = [bright.id, left.id];
    const start = (given: string[]) => startTransfer(db(), actor, { projectId, ids: given });
    await expect(start([bright.id])).rejects.toThrow(/two to 6/);
    await expect(start([bright.id, bright.id])).rejects.toThrow(/same evaluation twice/);
    const other = await evaluate({ model: left.modelId, suite: 'saliency' });
    await expect(start([bright.id, other.id])).rejects.toThrow(/Different suite/);
    await start(ids);
    const [board] = groupIntoBoards(await listEvaluations(db(), { projectId })).filter(
      ({ suite }) => suite === 'fmr',
    );
    expect(
      board &&
        selectTransferModels(board)
          .map(({ id }) => id)
          .toSorted(),
    ).toEqual(ids.toSorted());
    expect(estimateTransferRuns([bright, left])).toEqual({ pictures: 4, runs: 2 * 4 * (10 * 5 + 1) });

    const rows = () => db().$count(tables.evaluationRows);
    const show = () => runTransfer({ ...jobIn(db()), storage: storage() }, { projectId, evaluationIds: ids });
    const before = await rows();
    expect(await show()).toEqual({ shown: 8 });
    // Of its own pictures nothing was asked: each was shown the four of the other.
    expect(await rows()).toBe(before + 8);
    const matrix = await readTransfer(db(), ids);
    for (const [i, evaluation] of [bright, left].entries()) {
      const own = matrix[i]?.[i];
      expect(own?.fmr).toBeCloseTo(findFinding(evaluation, 'fmr')?.value ?? Number.NaN, 12);
      expect(own?.vr).toBeCloseTo(findFinding(evaluation, 'fmr-validation-rate')?.value ?? Number.NaN, 12);
      // The same pictures count for whoever looks.
      for (const cell of matrix[i] ?? []) expect(cell?.counts.validated).toBe(own?.counts.validated);
    }
    for (const from of ids)
      for (const to of ids) {
        const cell = matrix[ids.indexOf(from)]?.[ids.indexOf(to)];
        const shown = (right: string) =>
          listTransferPictures(db(), { from, to, ...TransferQuery.parse({ right }) });
        expect((await shown('all')).total).toBe(cell?.counts.validated);
        expect((await shown('yes')).total).toBe(cell?.counts.perturbedCorrect);
        expect((await shown('no')).items.every(({ className, predicted }) => className !== predicted)).toBe(
          true,
        );
      }
    expect(await show()).toEqual({ shown: 0 });
    // Forgotten pictures are made again, the same ones, and no model is asked what it said.
    const kept = await db().select().from(tables.evaluationTransfers);
    await db().delete(tables.evaluationTransfers);
    expect(await show()).toEqual({ shown: 8 });
    expect(await rows()).toBe(before + 8);
    const again = await db().select().from(tables.evaluationTransfers);
    const sorted = (found: typeof kept) => found.map((each) => JSON.stringify(each)).toSorted();
    expect(sorted(again)).toEqual(sorted(kept));
  });
});
