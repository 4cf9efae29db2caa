import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Arch,
  heartbeat,
  type JobSpec,
  jobSpec,
  type SnapshotManifest,
  snapshotManifest,
  trainerEvent,
  trainerResult,
  trainingPreset,
} from '@/lib/core/training-spec';
import { checkExport } from '@/lib/services/inference/check-export';
import { runPython } from './python';

const SIDE = 32;
const COUNT = 24;
const folder = mkdtempSync(path.join(os.tmpdir(), 'tessera-training-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

/** Pictures of two classes with a part each: a bright bar on the left, or on the right. */
function writeSnapshot(data: string): string {
  mkdirSync(data, { recursive: true });
  const images = new Uint8Array(COUNT * SIDE * SIDE * 3).fill(90);
  const masks = new Uint8Array(COUNT * SIDE * SIDE);
  const labels = Uint16Array.from({ length: COUNT }, (_, i) => i % 2);
  for (let i = 0; i < COUNT; i++)
    for (let y = 4; y < 28; y++)
      for (let x = 0; x < 8; x++) {
        const at = (i * SIDE + y) * SIDE + x + (i % 2 ? 20 : 4);
        masks[at] = 1 + (i % 2);
        images.fill(200 + (i % 5), at * 3, at * 3 + 3);
      }
  const arrays: Record<keyof SnapshotManifest['files'], Uint8Array> = {
    'images.u8': images,
    'masks.u8': masks,
    'labels.u16': new Uint8Array(labels.buffer),
    'weights.f32': new Uint8Array(new Float32Array(COUNT).fill(1).buffer),
    'ids.json': Buffer.from(JSON.stringify(Array.from({ length: COUNT }, (_, i) => `i${i}`))),
    'splits.u8': Uint8Array.from({ length: COUNT }, (_, i) => [0, 0, 0, 0, 1, 2][(i >> 1) % 6] ?? 0),
  };
  const files = Object.fromEntries(
    Object.entries(arrays).map(([name, bytes]) => {
      writeFileSync(path.join(data, name), bytes);
      return [name, { bytes: bytes.length, sha256: sha256(bytes) }];
    }),
  );
  const manifest = JSON.stringify(
    snapshotManifest.parse({
      schema: 'tessera-snapshot/1',
      count: COUNT,
      height: SIDE,
      width: SIDE,
      classes: ['left', 'right'],
      parts: [
        { name: 'left bar', class: 0 },
        { name: 'right bar', class: 1 },
      ],
      view: { kind: 'whole', side: SIDE },
      files,
    }),
  );
  writeFileSync(path.join(data, 'manifest.json'), manifest);
  return `sha256:${sha256(manifest)}`;
}

/** The smallest run the presets allow to make. */
function writeJob(arch: Arch): { root: string; spec: JobSpec } {
  const root = path.join(folder, arch);
  const snapshot = writeSnapshot(path.join(root, 'data'));
  const spec = trainingPreset('tiny-64')?.make({
    arch,
    method: 'normal',
    id: arch,
    snapshot,
    seed: 1,
  }) as JobSpec;
  spec.data.size = SIDE;
  spec.data.augment.area = [0.8, 1];
  spec.data.augment.flip = 0;
  spec.train.batchSize = 8;
  spec.resources.threads = 1;
  for (const stage of spec.stages) stage.epochs = 2;
  spec.test = [
    { attack: 'none', sample: null },
    { attack: 'autoattack', eps: 0.03, iterations: 3, targets: 2, queries: 5, sample: 2 },
  ];
  writeFileSync(path.join(root, 'job.json'), JSON.stringify(jobSpec.parse(spec)));
  return { root, spec };
}

const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe.each<Arch>(['baseline', 'bounding-box'])('a %s model, from a job directory to ONNX', (arch) => {
  let root = '';
  let ended = { code: null as number | null, err: '' };

  beforeAll(async () => {
    ({ root } = writeJob(arch));
    ended = await runPython(['-m', 'tessera_trainer', root]);
  }, 600_000);

  it('ends well and says so in words the platform knows', () => {
    expect(ended.code, ended.err).toBe(0);
    const result = trainerResult.parse(json(path.join(root, 'result.json')));
    expect(result).toMatchObject({ state: 'succeeded', attempt: 1, error: null });
    expect(result.metrics?.tests.map(({ attack, n }) => [attack, n])).toEqual([
      ['none', 4],
      ['autoattack', 2],
    ]);
    for (const { path: name, bytes, sha256: hash } of result.artifacts) {
      const content = readFileSync(path.join(root, name));
      expect([content.length, sha256(content)]).toEqual([bytes, hash]);
    }
    heartbeat.parse(json(path.join(root, 'heartbeat.json')));
  });

  it('tells its course in numbered events', () => {
    const events = readFileSync(path.join(root, 'events.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => trainerEvent.parse(JSON.parse(line)));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events[0]?.kind).toBe('start');
    expect(events.at(-1)).toMatchObject({ kind: 'end', state: 'succeeded', code: 0 });
    expect(events.some((event) => event.kind === 'preview')).toBe(arch !== 'baseline');
  });

  it('gives the runtime that serves it the answers PyTorch gave, and its gradients', async () => {
    const check = await checkExport(path.join(root, 'artifacts'));
    const outputs = arch === 'baseline' ? ['logits', 'features'] : ['logits', 'masks', 'features'];
    expect(Object.keys(check).sort()).toEqual([...outputs, 'gradient', 'feature_gradient'].sort());
    expect(Math.max(...Object.values(check))).toBeLessThan(1e-4);
    expect(json(path.join(root, 'result.json')).check.gradientGraphAgainstAutograd).toBeLessThan(1e-4);
  });

  it('takes any number of pictures at once', async () => {
    const contract = json(path.join(root, 'artifacts/model.json'));
    const session = await InferenceSession.create(path.join(root, 'artifacts', contract.file.name));
    const { height, width, name } = contract.input;
    const image = new Tensor('float32', new Float32Array(5 * 3 * height * width), [5, 3, height, width]);
    const found = await session.run({ [name]: image });
    expect(found[contract.outputs.logits]?.dims).toEqual([5, contract.classes.length]);
    if (arch !== 'baseline')
      expect(found[contract.outputs.masks]?.dims).toEqual([5, contract.maskValues.length, height, width]);
    else
      expect(readFileSync(path.join(root, 'artifacts/model.onnx')).includes(contract.head.weight)).toBe(true);
    await session.release();
  });
});
