import { createHash } from 'node:crypto';
import {
  type Arch,
  type JobSpec,
  jobSpec,
  type Method,
  type TestAttack,
  trainingPreset,
} from '@/lib/core/training-spec';
import type { Counts, Setting } from './scenes';

/** One row of the study: everything but the seed. */
export interface Cell {
  setting: Setting;
  arch: Arch;
  method: Method;
  /** False: the segmenter is told nothing (c_seg = 0), so that only its shape is that of a part model. */
  partLabels: boolean;
}

export interface Plan {
  counts: Counts;
  seeds: number[];
  epochs: { clean: number; adversarial: number };
}

/** Chosen so that 2 quiet cores need less than 40 minutes. */
export const usualPlan: Plan = {
  counts: { train: 80, val: 15, test: 40 },
  seeds: [0, 1, 2],
  epochs: { clean: 18, adversarial: 6 },
};

const compared: readonly Arch[] = ['baseline', 'downsampled', 'bounding-box'];

export const cells: readonly Cell[] = [
  ...(['normal', 'pgd'] as const).flatMap((method) => [
    ...compared.map((arch): Cell => ({ setting: 'likely', arch, method, partLabels: true })),
    { setting: 'likely', arch: 'downsampled', method, partLabels: false } satisfies Cell,
  ]),
  ...(['baseline', 'downsampled'] as const).map(
    (arch): Cell => ({ setting: 'cue', arch, method: 'normal', partLabels: true }),
  ),
];

const round = (value: number) => Number(value.toPrecision(8));
const EPS = round(8 / 255);

/** PGD on every test image, and an attack that finds its own step on half of them, to see what PGD leaves. */
const attacks = (sample: number): TestAttack[] => [
  { attack: 'pgd', eps: EPS, steps: 20, step: round(2 / 255), restarts: 1, sample: null },
  { attack: 'apgd-ce', eps: EPS, iterations: 30, sample },
];

/** One thread for each run: two runs side by side take less time than one after the other on two. */
export function specOf(
  { setting, arch, method, partLabels }: Cell,
  seed: number,
  snapshot: string,
  plan: Plan,
): JobSpec {
  const preset = trainingPreset('tiny-64');
  if (!preset) throw new Error('There is no preset tiny-64.');
  const made = structuredClone(preset.make({ arch, method, id: 'study', snapshot, seed }));
  const [clean, adversarial] = made.stages;
  if (clean) clean.epochs = plan.epochs.clean;
  if (adversarial && adversarial.method !== 'clean') {
    adversarial.epochs = plan.epochs.adversarial;
    // Half as many steps, twice as wide: training takes half the time, the tests take their own steps.
    adversarial.attack = { eps: EPS, steps: 5, step: round(2 / 255) };
  }
  // Few images and minutes: small steps and many of them, crops that keep the figure, no dropout.
  made.data.augment.area = [0.7, 1];
  made.train.batchSize = 8;
  made.model.segmenter.dropout = 0;
  made.train.cSeg = arch === 'baseline' || !partLabels ? 0 : 0.5;
  made.validate = { ...made.validate, every: 4, previews: 0 };
  made.test = [{ attack: 'none', sample: null }, ...(setting === 'cue' ? [] : attacks(plan.counts.test * 3))];
  made.resources.threads = 1;
  return jobSpec.parse(made);
}

export const rowName = ({ setting, arch, method, partLabels }: Cell): string =>
  [setting, arch, method, ...(partLabels ? [] : ['without-parts'])].join('-');

/** The folder of a run: a changed spec is another one. */
export const nameOf = (cell: Cell, seed: number, spec: JobSpec): string => {
  const hash = createHash('sha256').update(JSON.stringify(spec)).digest('hex').slice(0, 8);
  return `${rowName(cell)}-seed-${seed}-${hash}`;
};
