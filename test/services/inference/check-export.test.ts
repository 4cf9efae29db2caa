import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { beyondTolerance, checkExport } from '@/lib/services/inference/check-export';
import { compareExport } from '@/lib/services/inference/compare-export';
import { useHome } from '../../support/home';
import { tinyOnnx } from '../../support/tiny-onnx';

const home = useHome();
let artifacts = '';
let count = 0;

beforeEach(() => {
  artifacts = path.join(home(), `artifacts-${count++}`);
  mkdirSync(path.join(artifacts, 'check'), { recursive: true });
});

const write = (file: string, outputs = ['logits']) =>
  writeFileSync(
    path.join(artifacts, 'check', 'check.json'),
    JSON.stringify({ outputs, tensors: { image: { file, shape: [1] } } }),
  );

describe('what a hostile machine sent as an export', () => {
  it.each(['../../../dev/zero', '/proc/self/environ', '../model.onnx', '.f32', 'a/b.f32', 'x.onnx'])(
    'opens no file but its own: %s',
    async (file) => {
      write(file);
      await expect(compareExport(artifacts)).rejects.toThrow('check.json is not valid');
    },
  );

  it('waits for no pipe and follows no link', async () => {
    write('image.f32');
    const place = path.join(artifacts, 'check', 'image.f32');
    execFileSync('mkfifo', [place]);
    await expect(compareExport(artifacts)).rejects.toThrow('image.f32 is missing');
    write('other.f32');
    symlinkSync('/dev/zero', path.join(artifacts, 'check', 'other.f32'));
    await expect(compareExport(artifacts)).rejects.toThrow('other.f32 is missing');
  });

  it('is not taken as checked when it names no outputs', async () => {
    write('image.f32', []);
    await expect(compareExport(artifacts)).rejects.toThrow('logits are missing');
  });

  it('is run in a process of its own, which tells what is wrong with it', async () => {
    write('image.f32');
    writeFileSync(path.join(artifacts, 'check', 'image.f32'), Buffer.alloc(4));
    const nodes = [{ op: 'NoSuchOperator', inputs: ['image'], outputs: ['logits'] }];
    const model = { inputs: { image: [1] }, outputs: { logits: [1] }, nodes };
    writeFileSync(path.join(artifacts, 'model.onnx'), tinyOnnx(model));
    await expect(checkExport(artifacts)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('The model does not run'),
    });
  });
});

it('a model that differs from PyTorch by more than rounding is marked', () => {
  expect(beyondTolerance({ logits: 1e-6, masks: 1e-3 })).toEqual([]);
  // What is infinite is null in JSON.
  expect(beyondTolerance({ logits: 0.1, masks: null, features: Number.NaN })).toEqual([
    'logits',
    'masks',
    'features',
  ]);
});
