import type { StoredEvent } from '../runs/run-curves';
import type { Accuracy } from './tests-of';

export interface CurvePoint {
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
