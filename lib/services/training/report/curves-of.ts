import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { type Db, tables } from '@/db';
import { formatDuration, formatNumber, formatPercent } from '@/lib/core/format';
import { readAll, type Storage } from '@/lib/services/storage';
import type { StoredEvent } from '../runs/keep-events';

const { runFiles } = tables;

interface CurvePoint {
  x: number;
  y: number;
  low?: number;
  high?: number;
}

export interface Curves {
  /** By step, over all stages. */
  loss: { train: CurvePoint[]; validation: CurvePoint[] };
  accuracy: { train: CurvePoint[]; clean: CurvePoint[]; adversarial: CurvePoint[] };
  /** The step at which each later stage begins. */
  stageStarts: { stage: number; step: number }[];
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isAccuracy = (value: unknown): value is Accuracy & { loss?: number } =>
  typeof value === 'object' && value !== null && isNumber((value as Accuracy).accuracy);

/** More points than pixels tell nothing: neighbours are averaged. */
export function thin(points: readonly CurvePoint[], most = 240): CurvePoint[] {
  if (points.length <= most) return [...points];
  const size = Math.ceil(points.length / most);
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) => {
    const group = points.slice(at * size, (at + 1) * size);
    const mean = (pick: (point: CurvePoint) => number) =>
      group.reduce((sum, point) => sum + pick(point), 0) / group.length;
    return { x: mean(({ x }) => x), y: mean(({ y }) => y) };
  });
}

/** What a run told, as lines. Steps that were told again after a crash count as the later attempt tells them. */
export function curvesOf(events: readonly StoredEvent[]): Curves {
  const steps = new Map<number, Record<string, unknown>>();
  const epochs = new Map<number, Record<string, unknown>>();
  const validations = new Map<number, Record<string, unknown>>();
  const kinds: Record<string, typeof steps> = { step: steps, train: epochs, val: validations };
  for (const { kind, document } of events)
    if (kind === 'metrics' && isNumber(document.step))
      kinds[String(document.split)]?.set(document.step, document);
  const line = (
    from: typeof steps,
    read: (document: Record<string, unknown>) => Omit<CurvePoint, 'x'> | null,
  ) =>
    [...from]
      .sort(([a], [b]) => a - b)
      .flatMap(([x, document]) => {
        const point = read(document);
        return point ? [{ x, ...point }] : [];
      });
  const number = (name: string) => (document: Record<string, unknown>) =>
    isNumber(document[name]) ? { y: document[name] } : null;
  const share = (name: string) => (document: Record<string, unknown>) => {
    const found = document[name];
    return isAccuracy(found) ? { y: found.accuracy as number, low: found.low, high: found.high } : null;
  };
  const first = new Map<number, number>();
  for (const [step, { stage }] of [...steps, ...epochs])
    if (isNumber(stage) && stage > 0) first.set(stage, Math.min(step, first.get(stage) ?? step));
  return {
    loss: {
      // An epoch of a few images has fewer steps than are logged.
      train: line(steps.size > epochs.size ? steps : epochs, number('loss')),
      validation: line(validations, ({ clean }) =>
        isAccuracy(clean) && isNumber(clean.loss) ? { y: clean.loss } : null,
      ),
    },
    accuracy: {
      train: line(epochs, number('accuracy')),
      clean: line(validations, share('clean')),
      adversarial: line(validations, share('adv')),
    },
    stageStarts: [...first].map(([stage, step]) => ({ stage, step })).sort((a, b) => a.stage - b.stage),
  };
}

const Accuracy = z.object({
  n: z.number().int(),
  correct: z.number().int(),
  accuracy: z.number().nullable(),
  low: z.number(),
  high: z.number(),
});

const Test = Accuracy.extend({
  attack: z.string(),
  /** A sweep has a list of them. */
  eps: z.union([z.number(), z.array(z.number())]).optional(),
  steps: z.number().optional(),
  restarts: z.number().optional(),
  iterations: z.number().optional(),
  queries: z.number().optional(),
  strategy: z.string().optional(),
  seconds: z.number().optional(),
  brokenBy: z.record(z.string(), z.number()).default({}),
  perClass: z.array(Accuracy).default([]),
});

/** A share that carries what it rests on. */
export type Accuracy = z.infer<typeof Accuracy>;
export type TestOutcome = z.infer<typeof Test>;

const Outcome = z.object({ metrics: z.object({ tests: z.array(z.unknown()) }) });

/** The tests of a run's verdict, in the order of its spec; none while there is no verdict. */
export function testsOf(result: unknown): TestOutcome[] {
  const outcome = Outcome.safeParse(result);
  return outcome.success ? outcome.data.metrics.tests.flatMap((test) => Test.safeParse(test).data ?? []) : [];
}

/** The tests that are over, while others go on; one that was told again counts as told last. */
export function listReportedTests(
  events: readonly { kind: string; document: Record<string, unknown> }[],
): TestOutcome[] {
  const told = new Map<number, unknown>();
  for (const { kind, document } of events)
    if (kind === 'metrics' && document.split === 'test') told.set(Number(document.test), document);
  return testsOf({ metrics: { tests: [...told].sort(([a], [b]) => a - b).map(([, test]) => test) } });
}

export const cleanTest = (tests: readonly TestOutcome[]): TestOutcome | undefined =>
  tests.find(({ attack }) => attack === 'none');

/** What is told in one number: AutoAttack where it ran, as papers do; else the attack that leaves the least. */
export function strongestTest(tests: readonly TestOutcome[]): TestOutcome | undefined {
  const attacked = tests.filter(({ attack }) => attack !== 'none');
  return (
    attacked.find(({ attack }) => attack === 'autoattack') ??
    attacked.toSorted((a, b) => (a.accuracy ?? 1) - (b.accuracy ?? 1))[0]
  );
}

const names: Record<string, string> = {
  none: 'Clean',
  // What "broke" an image that was wrong already.
  clean: 'wrong without attack',
  pgd: 'PGD',
  'apgd-ce': 'APGD-CE',
  'apgd-t': 'APGD-T',
  fab: 'FAB',
  square: 'Square',
  autoattack: 'AutoAttack',
  sweep: 'Sweep of ε',
  'two-stage': 'Two-stage',
};

export const attackName = (attack: string): string => names[attack] ?? attack;

const share = (value: unknown): string =>
  formatPercent((value as { accuracy?: number | null } | undefined)?.accuracy);

/** One line for people; null for what a curve shows better. */
export function eventText({ kind, document }: Pick<StoredEvent, 'kind' | 'document'>): string | null {
  const at = `stage ${Number(document.stage) + 1}, epoch ${document.epoch}`;
  switch (kind) {
    case 'start':
      return `${document.resumed ? 'Goes on' : 'Begins'} with torch ${document.torch} on ${document.device}: ${formatNumber(Number(document.parameters))} parameters, ${document.steps} steps an epoch.`;
    case 'checkpoint':
      return `Checkpoint at step ${document.step}.`;
    case 'artifact':
      return String(document.path).includes('/previews/') ? null : `Wrote ${document.path}.`;
    case 'warning':
    case 'note':
      return String(document.message);
    case 'end':
      // The trainer's own word.
      return `Ended: ${document.state === 'canceled' ? 'cancelled' : document.state}.`;
    case 'metrics':
      if (document.split === 'val')
        return `Validated ${at}: clean ${share(document.clean)}${document.adv ? `, adversarial ${share(document.adv)}` : ''}${document.best ? ', the best so far' : ''}.`;
      if (document.split === 'test')
        return `Tested ${attackName(String(document.attack))}: ${share(document)}${document.seconds ? ` in ${formatDuration(Number(document.seconds))}` : ''}.`;
      return null;
    default:
      return null;
  }
}

const TAIL_BYTES = 8 * 1024;

/** The end of what the trainer printed, from the first whole line; null while the run has not ended. */
export async function readLogTail(db: Db, storage: Storage, runId: string): Promise<string | null> {
  const [file] = await db
    .select({ blob: runFiles.blob, bytes: runFiles.bytes })
    .from(runFiles)
    .where(and(eq(runFiles.runId, runId), eq(runFiles.path, 'log.txt')));
  if (!file || file.bytes === 0) return null;
  const start = Math.max(0, file.bytes - TAIL_BYTES);
  const source = await storage.get(file.blob, { start, end: file.bytes - 1 });
  const text = (await readAll(source, TAIL_BYTES)).toString('utf8');
  return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
}
