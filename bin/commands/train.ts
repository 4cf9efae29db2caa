import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '@/lib/config';
import { authorise } from '@/lib/services/access';
import { freezeVersion } from '@/lib/services/datasets/freeze/freeze-version';
import { FreezeRequest } from '@/lib/services/datasets/freeze/request';
import { storage } from '@/lib/services/storage';
import { getRun, type RunView } from '@/lib/services/training/runs/list-runs';
import { NewRun, startRuns } from '@/lib/services/training/runs/start-run';
import { runWorker } from '@/workers/run';
import { defineCommand, json, readCount, readSettings, UsageError } from '../command';
import { commandLine, enterDatabase } from '../database/enter';
import { lockHolder, startLock } from '../start/lock';
import { noProgress, print, terminalProgress } from '../terminal';

const DEMO = 'part-imagenet-demo';
/** Some seventy images in the batches of the presets are two steps an epoch: nothing would be learnt. */
const DEMO_BATCH = 8;
const LOOK_MS = 500;

export const command = defineCommand({
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    version: {
      type: 'string',
      value: 'version',
      description: 'Number, tag, hash or latest (default latest).',
    },
    demo: {
      type: 'boolean',
      description: `Train on the demo's ${DEMO}, frozen if it is not yet; in batches of ${DEMO_BATCH}, as it is small.`,
    },
    arch: {
      type: 'string',
      value: 'name',
      description: 'One of baseline, downsampled, bounding-box, two-headed, pixel (default downsampled).',
    },
    method: {
      type: 'string',
      value: 'name',
      description: 'How it is trained: normal, pgd or trades (default normal).',
    },
    preset: {
      type: 'string',
      value: 'id',
      description: 'Size of the network: tiny-64 (default), small-64, r18-64, or one of the paper.',
    },
    set: {
      type: 'strings',
      value: 'path=value',
      description: 'A setting of the spec, as train.cSeg=0.3; can be repeated.',
    },
    seed: {
      type: 'string',
      value: 'number',
      description: 'Random seed (default 0); several by commas are a study.',
    },
    seeds: { type: 'string', value: 'count', description: 'So many seeds, from the one given by --seed on.' },
    sweep: {
      type: 'strings',
      value: 'name=values',
      description:
        'Try values of lr, weightDecay, cSeg, beta or labelledFraction, as lr=0.01,0.05; several are combined.',
    },
    'budget-runs': { type: 'string', value: 'count', description: 'Most runs of a sweep (default 24).' },
    'budget-minutes': {
      type: 'string',
      value: 'minutes',
      description: 'Most minutes of a sweep by the estimate: what goes beyond is left out by a draw.',
    },
    name: { type: 'string', value: 'text', description: 'What the run is called.' },
    superclass: { type: 'boolean', description: 'Tell super-classes apart (human, vehicle), not classes.' },
    launcher: {
      type: 'string',
      value: 'where',
      description:
        'Where it trains: local (default), slurm, or remote (a trainer elsewhere that asks for runs).',
    },
    confirm: {
      type: 'boolean',
      description:
        'Train a preset for GPUs on processors where no GPU is there, although that takes days or weeks.',
    },
    detach: { type: 'boolean', description: 'Do not wait; the running instance trains.' },
    json,
  },
  async run(values) {
    const project = values.demo ? DEMO : values.project;
    if (!project) throw new UsageError('Pass --project <slug>, or --demo.');
    const parsed = NewRun.safeParse({
      version: values.version ?? 'latest',
      preset: values.preset,
      arch: values.arch === 'two-headed' ? 'two-headed-encoder' : values.arch,
      method: values.method,
      seeds: seedsOf(values.seed, values.seeds),
      set: { ...(values.demo ? { 'train.batchSize': DEMO_BATCH } : {}), ...readSettings(values.set) },
      sweep: sweepOf(values.sweep),
      budget: {
        ...(values['budget-runs'] ? { runs: Number(values['budget-runs']) } : {}),
        ...(values['budget-minutes'] ? { minutes: Number(values['budget-minutes']) } : {}),
      },
      name: values.name,
      options: { classes: values.superclass ? 'superclass' : 'class' },
      launcher: values.launcher,
      confirmed: values.confirm,
    });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new UsageError(`--${optionOf(issue?.path ?? [])}: ${issue?.message}`);
    }
    // Where no instance runs, a worker runs in this process: its news are not for the person who trains.
    process.env.TESSERA_LOG_LEVEL ||= 'warn';
    await using entered = await enterDatabase();
    const { db } = entered;
    const access = await authorise(db, commandLine, 'runs.write', { project });
    const projectId = access.project.id;
    if (values.demo && !values.version)
      await freezeVersion(
        { db, storage: storage(), signal: new AbortController().signal, progress: async () => {} },
        commandLine,
        { projectId, request: FreezeRequest.parse({ description: 'Frozen for training.' }) },
      );
    const started = await startRuns(db, commandLine, { projectId, run: parsed.data });
    if (values.detach) {
      print(values.json, started, () => started.map(({ id, name }) => `${id}  ${name}`).join('\n'));
      return 0;
    }
    const stopping = new AbortController();
    const working = lockHolder(startLock(readConfig().home)) ? null : runWorker({ signal: stopping.signal });
    const progress = values.json ? noProgress : terminalProgress();
    try {
      const ended: RunView[] = [];
      for (const { id, name } of started) {
        const step = progress.begin(name);
        const run = await waitFor(db, projectId, id, (text) => step.update(text));
        if (run.state === 'done') step.done(name);
        else step.failed();
        ended.push(run);
      }
      print(values.json, ended.map(factsOf), () => ended.map(textOf).join('\n'));
      return ended.every(({ state }) => state === 'done') ? 0 : 1;
    } finally {
      stopping.abort();
      await working;
    }
  },
});

/** The option that gave what is wrong. */
function optionOf([first, second]: readonly PropertyKey[]): string {
  if (first === 'seeds') return 'seed';
  return first === 'budget' ? `budget-${String(second)}` : String(first);
}

function seedsOf(given = '0', count?: string): number[] {
  const seeds = given.split(',').map(Number);
  if (count === undefined) return seeds;
  if (seeds.length > 1) throw new UsageError('Pass either several numbers with --seed, or --seeds.');
  return Array.from({ length: readCount('seeds', count, 1) }, (_, at) => (seeds[0] ?? 0) + at);
}

const sweepOf = (given: string[] | undefined): Record<string, number[]> =>
  Object.fromEntries(
    Object.entries(readSettings(given, 'sweep')).map(([name, text]) => [name, text.split(',').map(Number)]),
  );

async function waitFor(
  db: Parameters<typeof getRun>[0],
  projectId: string,
  runId: string,
  say: (text: string) => void,
): Promise<RunView> {
  for (;;) {
    const run = await getRun(db, { projectId, runId });
    if (run.state === 'done' || run.state === 'failed' || run.state === 'cancelled') return run;
    say(run.total ? `${run.text} ${run.done}/${run.total}` : run.text);
    await sleep(LOOK_MS);
  }
}

const factsOf = ({ id, name, state, error, modelId, result, spec }: RunView) => ({
  id,
  name,
  state,
  error,
  modelId,
  seed: spec.train.seed,
  metrics: result?.metrics ?? null,
});

function textOf({ name, state, error, modelId, result }: RunView): string {
  if (state !== 'done') return `${name}: ${state}. ${error ?? ''}`;
  const tests = (result?.metrics?.tests ?? []) as Tested[];
  return [`${name}: model ${modelId}`, ...tests.map((test) => `  ${testText(test)}`)].join('\n');
}

interface Tested {
  attack: string;
  n: number;
  accuracy: number;
  low: number;
  high: number;
}

const testText = ({ attack, n, accuracy, low, high }: Tested): string => {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const name = attack === 'none' ? 'clean' : attack;
  return `${name.padEnd(12)} ${percent(accuracy)} right of ${n} (95 %: ${percent(low)} to ${percent(high)})`;
};
