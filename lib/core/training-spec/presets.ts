import { type Arch, type Backbone, type JobSpec, SPEC_SCHEMA, type Stage, type TestAttack } from './job-spec';

export type Method = 'normal' | 'pgd' | 'trades';

/** What a person chooses; everything else is the preset's. */
export interface Choice {
  arch: Arch;
  method: Method;
  id: string;
  snapshot: string;
  seed: number;
}

export interface TrainingPreset {
  id: string;
  title: string;
  description: string;
  /** Presets for GPUs are refused where there are none unless someone confirms the estimate. */
  needsGpu: boolean;
  archs: readonly Arch[];
  make(choice: Choice): JobSpec;
}

const EPS = 8 / 255;
/** β of Table 1's TRADES rows. */
const publishedBeta: Partial<Record<Arch, number>> = {
  baseline: 0.1,
  downsampled: 0.05,
  'bounding-box': 0.1,
};

const round = (value: number) => Number(value.toPrecision(8));
const attack = { eps: round(EPS), steps: 10, step: round(1 / 255) };

/** Clean first, then the method, as published: the adversarial stage starts from the best clean weights. */
function stages(method: Method, arch: Arch, clean: number, adversarial: number, lr: number): Stage[] {
  const first: Stage = { name: 'clean', method: 'clean', epochs: clean, from: 'last', lr };
  if (method === 'normal') return [first];
  const base = { name: method, epochs: adversarial, from: 'best' as const, lr, attack };
  return [
    first,
    method === 'pgd'
      ? { ...base, method: 'pgd' }
      : { ...base, method: 'trades', beta: publishedBeta[arch] ?? 0.1 },
  ];
}

interface Size {
  size: number;
  view: 'whole' | 'center';
  backbone: Backbone;
  channels: number;
  epochs: [clean: number, adversarial: number];
  batchSize: number;
  lr: number;
  gpus: number;
  validation: { every: number; steps: number; step: number; sample: number | null };
  test: TestAttack[];
}

function make(id: string, size: Size, { arch, method, snapshot, seed, id: job }: Choice): JobSpec {
  const robust = method !== 'normal';
  const { every, sample, ...steps } = size.validation;
  return {
    schema: SPEC_SCHEMA,
    id: job,
    preset: id,
    attemptLimit: 3,
    data: {
      snapshot,
      size: size.size,
      view: size.view,
      labels: 'mask',
      labelledFraction: 1,
      classWeights: 'none',
      labelWeights: false,
      augment: { area: [0.08, 1], ratio: [0.75, round(4 / 3)], flip: 0.5 },
    },
    model: {
      arch,
      backbone: size.backbone,
      level: 'part',
      background: true,
      pool: 4,
      withImage: false,
      segmenter: { channels: size.channels, rates: [12, 24, 36], dropout: 0.5 },
      init: { kind: 'random' },
    },
    stages: stages(method, arch, ...size.epochs, size.lr),
    train: {
      batchSize: size.batchSize,
      accumulate: 1,
      momentum: 0.9,
      weightDecay: 5e-4,
      decay: 'published',
      schedule: 'cosine-epoch',
      cSeg: arch === 'baseline' ? 0 : 0.5,
      precision: 'fp32',
      syncBn: true,
      seed,
      logEvery: 10,
      checkpointSeconds: 30,
    },
    validate: {
      every,
      attack: robust ? { eps: attack.eps, ...steps } : null,
      select: robust ? 'adv' : 'clean',
      patience: null,
      sample,
      previews: arch === 'baseline' ? 0 : 8,
    },
    test: size.test,
    resources: {
      device: size.gpus ? 'cuda' : 'cpu',
      gpus: size.gpus,
      nodes: 1,
      threads: null,
      memoryGb: null,
      wallMinutes: null,
    },
  };
}

const eps = attack.eps;

/** A fixed sample on a processor, so that the test takes minutes; its interval says how much that tells. */
const cpuTest = (images: number): TestAttack[] => [
  { attack: 'none', sample: null },
  { attack: 'pgd', eps, steps: 40, step: round(eps / 10), restarts: 1, sample: images * 2 },
  { attack: 'autoattack', eps, iterations: 50, targets: 3, queries: 500, sample: images },
];

const gpuTest: TestAttack[] = [
  { attack: 'none', sample: null },
  { attack: 'pgd', eps, steps: 100, step: 0.001, restarts: 5, sample: null },
  { attack: 'autoattack', eps, iterations: 100, targets: 9, queries: 5000, sample: null },
];

const cpu = (
  backbone: Backbone,
  channels: number,
  lr: number,
  epochs: [number, number],
  images: number,
): Size => ({
  size: 64,
  view: 'whole',
  backbone,
  channels,
  epochs,
  batchSize: 32,
  lr,
  gpus: 0,
  validation: { every: 2, steps: 10, step: round(eps / 4), sample: 64 },
  test: cpuTest(images),
});

/** 4 × 32 images a step on four GPUs, 50 clean and 50 adversarial epochs: appendix B and the public code. */
const paper: Size = {
  size: 224,
  view: 'center',
  backbone: 'resnet50',
  channels: 256,
  epochs: [50, 50],
  batchSize: 128,
  lr: 0.1,
  gpus: 4,
  validation: { every: 2, steps: 50, step: 0.002, sample: null },
  test: gpuTest,
};

const all: readonly Arch[] = [
  'baseline',
  'downsampled',
  'bounding-box',
  'two-headed-encoder',
  'two-headed-decoder',
  'pixel',
];

const preset = (
  id: string,
  title: string,
  description: string,
  size: Size,
  archs: readonly Arch[] = all,
): TrainingPreset => ({
  id,
  title,
  description,
  needsGpu: size.gpus > 0,
  archs,
  make: (choice) => make(id, size, choice),
});

/** A new preset is one line here. */
export const trainingPresets: readonly TrainingPreset[] = [
  preset(
    'tiny-64',
    'Tiny, 64 px',
    'About 0.4 M parameters: minutes on a processor.',
    cpu('tiny', 32, 0.05, [20, 20], 64),
  ),
  preset(
    'small-64',
    'Small, 64 px',
    'About 3 M parameters: a quarter of an hour on a processor.',
    cpu('small', 64, 0.05, [20, 20], 32),
  ),
  preset(
    'r18-64',
    'ResNet-18, 64 px',
    '12.5 M parameters: an hour on a processor.',
    cpu('resnet18', 256, 0.05, [20, 20], 16),
  ),
  preset('paper-baseline', 'ResNet-50 of the paper', 'For GPUs.', paper, ['baseline']),
  preset('paper-downsampled', 'Downsampled of the paper', 'For GPUs.', paper, ['downsampled']),
  preset('paper-bounding-box', 'Bounding-Box of the paper', 'For GPUs.', paper, ['bounding-box']),
  preset('paper-two-headed', 'Two-Headed of the paper', 'For GPUs.', paper, [
    'two-headed-encoder',
    'two-headed-decoder',
  ]),
  preset('paper-pixel', 'Pixel of the paper', 'For GPUs.', paper, ['pixel']),
];

export function trainingPreset(id: string): TrainingPreset | undefined {
  return trainingPresets.find((entry) => entry.id === id);
}
