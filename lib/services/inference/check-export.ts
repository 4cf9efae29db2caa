import { ChildClient } from './child-client';

/** Greatest difference between PyTorch and the runtime that serves the model, in units of the greatest value. */
export type ExportCheck = Record<string, number>;

/** A ResNet-50 and its gradient on a few pictures take seconds and about 1 GB. */
const TIMEOUT_MS = 300_000;
const MEMORY_MB = 4000;

/** How far the exported files are from PyTorch; in a process of its own, as a machine elsewhere may have sent anything. */
export async function checkExport(artifacts: string, signal?: AbortSignal): Promise<ExportCheck> {
  signal?.throwIfAborted();
  const child = new ChildClient('lib/services/inference/check-child.ts', {
    timeoutMs: TIMEOUT_MS,
    memoryMb: MEMORY_MB,
  });
  const stop = () => child[Symbol.dispose]();
  signal?.addEventListener('abort', stop);
  try {
    return await child.request<ExportCheck>('check', artifacts);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}

/** Float32 on two engines: more than this is not rounding. In units of the greatest value. */
export const EXPORT_TOLERANCE = 1e-3;

/** What differs by more than rounding: such a model does not compute what was trained. */
export const beyondTolerance = (check: Record<string, unknown>): string[] =>
  Object.entries(check)
    .filter(([, apart]) => typeof apart !== 'number' || !(apart <= EXPORT_TOLERANCE))
    .map(([name]) => name);
