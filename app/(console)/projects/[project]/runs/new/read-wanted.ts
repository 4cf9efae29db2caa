import { z } from 'zod';
import { archs, type JobSpec, type Method, trainingPreset } from '@/lib/core/training-spec';
import { attackName } from '@/lib/services/training/report/curves-of';
import { NewRun } from '@/lib/services/training/runs/start-run';

type Query = Record<string, string | string[] | undefined>;

const launchers = ['local', 'slurm', 'remote'] as const;
const methods = ['normal', 'pgd', 'trades'] as const;

/** A field that people type into. */
const typed = z.string().trim().max(200).catch('');

/** What the address says; what it says in vain is as if it said nothing. */
const Asked = z.object({
  version: z.string().min(1).max(80).catch('latest'),
  preset: z
    .string()
    .refine((id) => trainingPreset(id) !== undefined)
    .catch('tiny-64'),
  arch: z.enum(archs).catch('downsampled'),
  method: z.enum(methods).catch('normal'),
  seeds: z.string().max(200).catch('0'),
  name: z.string().trim().max(120).catch(''),
  classes: z.enum(['class', 'superclass']).catch('class'),
  launcher: z.enum(launchers).catch('local'),
  /** Values that are tried, by commas. */
  sweepLr: typed,
  sweepWeightDecay: typed,
  sweepCSeg: typed,
  sweepBeta: typed,
  sweepLabelled: typed,
  budgetRuns: typed,
  budgetMinutes: typed,
});

export type Asked = z.output<typeof Asked>;

/** Settings people change, by the name of their field; the rest by `--set` on the command line or through the API. */
const settingNames = [
  'train.cSeg',
  'train.batchSize',
  'train.weightDecay',
  'data.labels',
  'data.labelledFraction',
  'data.classWeights',
  'data.labelWeights',
  'resources.wallMinutes',
  'model.level',
  'model.background',
  'model.pool',
  'model.withImage',
  'train.accumulate',
  'train.precision',
  'validate.patience',
] as const;

/** Of every stage: their paths depend on the method. */
const stageFields = ['epochs', 'lr'] as const;

/** An architecture the preset does not train gives way to one that it does. */
export function readAsked(query: Query): Asked {
  const asked = Asked.parse(query);
  const preset = trainingPreset(asked.preset);
  if (!preset || preset.archs.includes(asked.arch)) return asked;
  return { ...asked, arch: preset.archs[0] ?? asked.arch };
}

/** The preset's own spec for what is chosen: its values stand in the fields. */
export function usualSpec({ preset, arch, method }: Asked): JobSpec | null {
  return (
    trainingPreset(preset)?.make({
      arch,
      method: method as Method,
      id: 'new-run',
      snapshot: `sha256:${'0'.repeat(64)}`,
      seed: 0,
    }) ?? null
  );
}

/** Paths of the settings that have a field. */
export function fieldPaths(spec: JobSpec): Set<string> {
  return new Set([
    ...settingNames,
    ...spec.stages.flatMap((_, at) => stageFields.map((field) => `stages.${at}.${field}`)),
    ...(spec.stages.at(-1)?.method === 'trades' ? [`stages.${spec.stages.length - 1}.beta`] : []),
    ...spec.test.flatMap((test, at) => (test.attack === 'none' ? [] : [`test.${at}.sample`])),
  ]);
}

export const valueAt = (spec: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], spec);

/** What differs from the preset: of the fields, and of what a cloned run had set besides. Empty is the preset's. */
export function settingsOf(query: Query, spec: JobSpec): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([path, given]) => {
      if (!path.includes('.') || typeof given !== 'string' || given.trim() === '') return [];
      const usual = valueAt(spec, path);
      const isUsual = given.trim() === String(usual) || given.trim() === JSON.stringify(usual);
      return usual === undefined || isUsual ? [] : [[path, given.trim()]];
    }),
  );
}

const numbersOf = (text: string): number[] => [
  ...new Set(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(Number),
  ),
];

/** The axes that have values; a field that does not fit the architecture or the method is not shown and not read. */
export function sweepOf(asked: Asked) {
  const given = {
    lr: asked.sweepLr,
    weightDecay: asked.sweepWeightDecay,
    cSeg: asked.arch === 'baseline' ? '' : asked.sweepCSeg,
    beta: asked.method === 'trades' ? asked.sweepBeta : '',
    labelledFraction: asked.arch === 'baseline' ? '' : asked.sweepLabelled,
  };
  return Object.fromEntries(
    Object.entries(given).flatMap(([axis, text]) => (text ? [[axis, numbersOf(text)]] : [])),
  ) as Partial<Record<keyof typeof given, number[]>>;
}

/** The run that is asked for, or what is wrong with it. */
export function runOf(asked: Asked, set: Record<string, string>) {
  return NewRun.safeParse({
    version: asked.version,
    preset: asked.preset,
    arch: asked.arch,
    method: asked.method,
    seeds: numbersOf(asked.seeds),
    set,
    sweep: sweepOf(asked),
    budget: {
      ...(asked.budgetRuns ? { runs: Number(asked.budgetRuns) } : {}),
      ...(asked.budgetMinutes ? { minutes: Number(asked.budgetMinutes) } : {}),
    },
    name: asked.name || undefined,
    options: { classes: asked.classes },
    launcher: asked.launcher,
  });
}

/** The address of the form filled as a run was. */
export function cloneQuery(run: {
  version: number;
  spec: JobSpec;
  method: Method;
  changed: Record<string, string>;
  classes: Asked['classes'];
  launcher: Asked['launcher'];
}): string {
  const { spec, changed, classes, launcher } = run;
  const query = new URLSearchParams({
    version: String(run.version),
    preset: spec.preset ?? 'tiny-64',
    arch: spec.model.arch,
    method: run.method,
    seeds: String(spec.train.seed + 1),
    classes,
    launcher,
  });
  for (const [path, value] of Object.entries(changed)) query.set(path, value.replace(/^"(.*)"$/, '$1'));
  return query.toString();
}

const labels: Record<string, string> = {
  'train.cSeg': 'c_seg',
  'train.batchSize': 'Batch size',
  'train.weightDecay': 'Weight decay',
  'train.accumulate': 'Pieces of a step',
  'train.precision': 'Precision',
  'data.labels': 'Label kind',
  'data.labelledFraction': 'Label fraction',
  'data.classWeights': 'Class weights',
  'data.labelWeights': 'Label quality',
  'resources.wallMinutes': 'Time limit, minutes',
  'model.level': 'Segments',
  'model.background': 'Background',
  'model.pool': 'Pool size',
  'model.withImage': 'Beside the masks',
  'validate.patience': 'Early stop after',
};

/** How the field of a setting is called; one without a field by its path. */
export function settingLabel(path: string, { stages, test }: JobSpec): string {
  const [area, at, field] = path.split('.');
  const stage = area === 'stages' ? stages[Number(at)] : undefined;
  if (stage && field === 'epochs') return `Epochs, ${stage.name}`;
  if (stage && field === 'lr') return `Learning rate, ${stage.name}`;
  if (stage && field === 'beta') return 'β of TRADES';
  const attack = area === 'test' && field === 'sample' ? test[Number(at)]?.attack : undefined;
  if (attack) return `Test images, ${attackName(attack)}`;
  return labels[path] ?? path;
}

const refused = /^The settings are not valid: ([^:]+): (.+)$/;

/** A refusal of settings in the words of their fields; any other as it is. */
export function refusalWords(message: string, usual: JobSpec): string {
  const [, path, why] = refused.exec(message) ?? [];
  return path && why ? `“${settingLabel(path, usual)}” ${rangeWords(why)}` : message;
}

const ranges: [RegExp, (limit: string) => string][] = [
  [/expected number to be >=(.+)$/, (limit) => `must be at least ${limit}`],
  [/expected number to be <=(.+)$/, (limit) => `must be at most ${limit}`],
  [/expected number to be >(.+)$/, (limit) => `must be above ${limit}`],
  [/expected number to be <(.+)$/, (limit) => `must be below ${limit}`],
  [/expected int\b/, () => 'must be a whole number'],
  [/expected number\b/, () => 'must be a number'],
];

/** What a check says of a value, as the end of a sentence about its field. */
export function rangeWords(message: string): string {
  for (const [pattern, words] of ranges) {
    const found = pattern.exec(message);
    if (found) return `${words(found[1] ?? '')}.`;
  }
  return `is not valid: ${message}`;
}
