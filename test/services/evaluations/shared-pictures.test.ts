import { readdirSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Picture } from '@/lib/core/robustness/picture';
import { stream } from '@/lib/core/robustness/random';
import { openModel } from '@/lib/services/evaluations/runner/open-model';
import { startModel } from '@/lib/services/evaluations/runner/processes';
import {
  type Laid,
  picturesIn,
  ReadPictures,
  SharedPictures,
} from '@/lib/services/evaluations/runner/shared-pictures';
import { SIDE, tinyClassifier } from '../../support/tiny-classifier';
import { blobs, withFiles } from './support/models';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'shared-pictures-'));
});
afterAll(() => rm(folder, { recursive: true }));

const opened = (most?: number) => SharedPictures.open(folder, most) as SharedPictures;
const some = (count: number, side: number, from: number): Picture[] =>
  Array.from({ length: count }, (_, i) => blobs(side, from + i));
const bytesOf = (pictures: readonly Picture[]) =>
  pictures.reduce((sum, { data }) => sum + data.byteLength, 0);

describe('memory that two processes see', () => {
  it('gives back what was laid there, whatever else comes and goes', async () => {
    const most = 20_000;
    using shared = opened(most);
    expect(readdirSync(folder), 'it has no name').toEqual([]);
    const reader = new ReadPictures(shared.reader);
    const chance = stream('shared pictures');
    const lying: { laid: Laid; pictures: Picture[] }[] = [];
    let refused = 0;
    for (let step = 0; step < 300; step++) {
      const pictures = some(1 + chance.below(5), 4 + 4 * chance.below(3), step);
      const laid = shared.lay(pictures);
      if (laid) lying.push({ laid, pictures });
      else {
        refused += 1;
        const taken = lying.reduce((sum, each) => sum + bytesOf(each.pictures), 0);
        expect(taken + bytesOf(pictures), 'only for want of room').toBeGreaterThan(most / 4);
      }
      while (lying.length > 0 && (!laid || chance.unit() < 0.4)) {
        const [{ laid: place, pictures: wanted }] = lying.splice(chance.below(lying.length), 1) as [
          (typeof lying)[number],
        ];
        const row = reader.read(place);
        expect(picturesIn(row)).toEqual(wanted);
        reader.clear(row.memory);
        shared.clear(place);
        if (!laid) break;
      }
    }
    expect(refused).toBeGreaterThan(5);
    for (const { laid, pictures } of lying) expect(picturesIn(reader.read(laid))).toEqual(pictures);
  });

  it('takes pictures of one size only, as much as there is room, and nothing once it is closed', () => {
    const shared = opened(bytesOf(some(4, 8, 0)));
    const other = blobs(4, 0);
    expect(shared.lay([...some(1, 8, 0), other])).toBeNull();
    expect(shared.lay([{ ...other, width: 8, height: 8 }])).toBeNull();
    expect(shared.lay(some(5, 8, 0))).toBeNull();
    const all = shared.lay(some(4, 8, 0)) as Laid;
    expect(all).toEqual({ from: 0, count: 4, width: 8, height: 8 });
    expect(shared.lay([other])).toBeNull();
    shared.clear(all);
    expect(shared.lay([other])).not.toBeNull();
    expect(() => writeSync(shared.reader, 'x')).toThrow(/EBADF/);
    shared[Symbol.dispose]();
    shared[Symbol.dispose]();
    expect(shared.lay([other])).toBeNull();
    expect(SharedPictures.open(path.join(folder, 'nowhere'))).toBeNull();
  });

  it('changes no answer: one picture or many at once, of the model’s size or not', async () => {
    const { onnx, contract } = tinyClassifier();
    await withFiles({ 'model.onnx': onnx }, async (place) => {
      const source = { file: place('model.onnx'), contract };
      await using here = await openModel(source);
      await using there = await startModel(source);
      const questions = Array.from({ length: 30 }, (_, i) => some(1 + (i % 7) ** 2, SIDE, i));
      const said = await Promise.all(questions.map((pictures) => there.logits(pictures)));
      for (const [i, pictures] of questions.entries()) expect(said[i]).toEqual(await here.logits(pictures));
      expect(await there.logits([])).toEqual([]);
      const [seen, refusal, mixed] = await Promise.allSettled([
        there.features?.(some(40, SIDE, 0)),
        there.logits(some(2, 8, 0)),
        there.logits([...some(1, SIDE, 0), ...some(1, 8, 0)]),
      ]);
      expect(seen).toMatchObject({ value: await here.features?.(some(40, SIDE, 0)) });
      for (const each of [refusal, mixed])
        expect(String(each && 'reason' in each && each.reason)).toMatch(/8 × 8/);
      expect(await there.logits(some(3, SIDE, 0))).toEqual(await here.logits(some(3, SIDE, 0)));
    });
  });
});
