import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@/db';
import { readConfig } from '@/lib/config';
import { notFound } from '@/lib/core/errors';
import { suiteIds } from '@/lib/core/robustness/suites';
import { authorise } from '@/lib/services/access';
import { findOracleStages } from '@/lib/services/evaluations/crowd/oracle-stage';
import { isPlainGenerator, NewEvaluation, planText } from '@/lib/services/evaluations/evaluation-request';
import { type EvaluationView, getEvaluation } from '@/lib/services/evaluations/list-evaluations';
import { planEvaluation } from '@/lib/services/evaluations/plan-evaluation';
import { startEvaluation } from '@/lib/services/evaluations/start-evaluation';
import { storage } from '@/lib/services/storage';
import { classifiersOf, listModels } from '@/lib/services/training/models';
import { runWorker } from '@/workers/run';
import { defineCommand, json, UsageError } from '../command';
import { commandLine, enterDatabase } from '../database/enter';
import { lockHolder, startLock } from '../start/lock';
import { noProgress, print, terminalProgress } from '../terminal';

const LOOK_MS = 500;

export const command = defineCommand({
  options: {
    project: { type: 'string', value: 'slug', description: 'The project.' },
    version: {
      type: 'string',
      value: 'version',
      description: 'Number, tag, hash or latest (default latest).',
    },
    model: {
      type: 'string',
      value: 'name',
      description: 'Name or id of the model, or latest (default latest).',
    },
    suite: { type: 'string', value: 'id', description: `One of ${suiteIds.join(', ')} (default all).` },
    preset: { type: 'string', value: 'name', description: 'Preset: quick (default) or paper.' },
    split: { type: 'string', value: 'name', description: 'Images of this split, or all (default test).' },
    images: { type: 'string', value: 'count', description: 'Most images (default 500).' },
    seed: { type: 'string', value: 'number', description: 'Random seed (default 0).' },
    oracle: {
      type: 'strings',
      value: 'name',
      description: 'Another model that judges perturbed pictures (FMR); may be given again, at most three.',
    },
    generator: {
      type: 'string',
      value: 'name',
      description: 'What drives pictures away (FMR): search (default), squares, or a decoder by its name.',
    },
    crowd: {
      type: 'string',
      value: 'stage',
      description: 'People judge instead (suite fmr): name or id of a stage in which evaluations ask.',
    },
    detach: { type: 'boolean', description: 'Do not wait; the running instance evaluates.' },
    plan: { type: 'boolean', description: 'Only report the cost and what would be left out.' },
    json,
  },
  async run(values) {
    if (!values.project) throw new UsageError('Pass --project <slug>.');
    process.env.TESSERA_LOG_LEVEL ||= 'warn';
    await using entered = await enterDatabase();
    const { db } = entered;
    const access = await authorise(db, commandLine, 'evaluations.write', { project: values.project });
    const projectId = access.project.id;
    const known = await listModels(db, projectId);
    const named = (wanted: string) => {
      const found =
        wanted === 'latest'
          ? classifiersOf(known)[0]
          : known.find(({ id, name }) => id === wanted || name === wanted);
      if (!found) throw notFound('model');
      return found;
    };
    const model = named(values.model ?? 'latest');
    const parsed = NewEvaluation.safeParse({
      model: model.id,
      version: values.version ?? 'latest',
      suite: values.suite,
      preset: values.preset,
      split: values.split,
      oracle: (values.oracle ?? []).map((name) => named(name).id),
      ...(values.generator
        ? { generator: isPlainGenerator(values.generator) ? values.generator : named(values.generator).id }
        : {}),
      ...(values.crowd ? { crowd: await stageOf(db, projectId, values.crowd) } : {}),
      ...(values.images ? { images: Number(values.images) } : {}),
      ...(values.seed ? { seed: Number(values.seed) } : {}),
    });
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      throw new UsageError(`--${String(issue?.path[0])}: ${issue?.message}`);
    }
    if (values.plan) {
      const context = { db, storage: storage(), signal: new AbortController().signal };
      const plan = await planEvaluation(context, { projectId, evaluation: parsed.data });
      print(values.json, plan, () => planText(plan));
      return 0;
    }
    const { id } = await startEvaluation(db, commandLine, { projectId, evaluation: parsed.data });
    if (values.detach) {
      print(values.json, { id }, () => id);
      return 0;
    }
    const stopping = new AbortController();
    const working = lockHolder(startLock(readConfig().home)) ? null : runWorker({ signal: stopping.signal });
    const step = (values.json ? noProgress : terminalProgress()).begin(`Evaluate ${model.name}`);
    try {
      for (;;) {
        const evaluation = await getEvaluation(db, { projectId, evaluationId: id });
        const { state, text, done, total } = evaluation;
        if (state === 'queued' || state === 'running') {
          step.update(total ? `${text} ${done}/${total}` : text);
          await sleep(LOOK_MS);
          continue;
        }
        if (state === 'waiting') {
          step.done('Waiting for workers: the running instance goes on when they have answered');
          print(values.json, factsOf(evaluation), () => id);
          return 0;
        }
        if (state === 'done') step.done(`Evaluated ${model.name}`);
        else step.failed();
        print(values.json, factsOf(evaluation), () => textOf(evaluation));
        return state === 'done' ? 0 : 1;
      }
    } finally {
      stopping.abort();
      await working;
    }
  },
});

async function stageOf(db: Db, projectId: string, wanted: string): Promise<string> {
  const stages = await findOracleStages(db, projectId);
  const found = stages.find(({ id, name }) => id === wanted || name === wanted);
  if (!found)
    throw new UsageError(
      `--crowd: there is no stage "${wanted}" in which evaluations ask. Make one on the page "Evaluate a model".`,
    );
  return found.id;
}

const factsOf = ({
  id,
  model,
  version,
  versionHash,
  suite,
  options,
  state,
  error,
  metrics,
}: EvaluationView) => ({
  id,
  model,
  version,
  versionHash,
  suite,
  ...options,
  state,
  error,
  metrics,
});

function textOf({ state, error, metrics }: EvaluationView): string {
  if (state !== 'done' || !metrics) return `${state}. ${error ?? ''}`;
  const lines = metrics.findings.map(({ name, value, low, high, n, isBound }) => {
    if (value === null) return `${name.padEnd(46)} –`;
    const ends = low === null || high === null ? '' : ` (95 %: ${low.toFixed(3)} to ${high.toFixed(3)})`;
    return `${name.padEnd(46)} ${isBound ? '≤ ' : ''}${value.toFixed(3)}${ends}, n ${n}`;
  });
  return [...lines, ...metrics.left.map(({ suite, why }) => `${suite}: left out. ${why}`)].join('\n');
}
