import type { JobSpec } from '../spec';
import type { RunEvent } from './follow-events';

/** How far a run is, in epochs over all its stages, from what the trainer just told. */
export function progressOf(
  event: RunEvent,
  spec: JobSpec,
): { done: number; total: number; text: string } | null {
  const total = spec.stages.reduce((sum, { epochs }) => sum + epochs, 0);
  if (event.kind === 'test') return { done: total, total, text: 'Testing' };
  if (event.kind !== 'metrics' || typeof event.epoch !== 'number') return null;
  const at = spec.stages.findIndex(({ name }) => name === event.stage);
  const before = spec.stages.slice(0, Math.max(0, at)).reduce((sum, { epochs }) => sum + epochs, 0);
  const name = spec.stages[Math.max(0, at)]?.name ?? '';
  return { done: Math.min(total, before + event.epoch), total, text: `Training, ${name}` };
}
