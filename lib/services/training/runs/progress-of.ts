import type { JobSpec } from '@/lib/core/training-spec';
import type { RunEvent } from './follow-events';

/** How far a run is, in epochs over all its stages, from what the trainer just told. */
export function progressOf(
  event: RunEvent,
  spec: JobSpec,
): { done: number; total: number; text: string } | null {
  const total = spec.stages.reduce((sum, { epochs }) => sum + epochs, 0);
  if (event.kind !== 'metrics') return null;
  if (event.split === 'test') return { done: total, total, text: 'Testing' };
  const { epoch, stage } = event;
  if (typeof epoch !== 'number' || typeof stage !== 'number') return null;
  const before = spec.stages.slice(0, stage).reduce((sum, { epochs }) => sum + epochs, 0);
  // Steps are of an epoch that is not over.
  const over = event.split === 'step' ? epoch - 1 : epoch;
  return {
    done: Math.min(total, before + over),
    total,
    text: `Training, ${spec.stages[stage]?.name ?? 'the last stage'}`,
  };
}
