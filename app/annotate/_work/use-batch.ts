import { useCallback, useEffect, useRef, useState } from 'react';
import { Refused } from './api';
import { BatchSession } from './batch-session';
import { useExplainProblem } from './work-text';

export type LoadedBatch =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly text: string; readonly status: number | undefined }
  | { readonly kind: 'ready'; readonly session: BatchSession; readonly isReloading: boolean };

/** The batch as the server and the browser have it now. Loading it again first stores what this page has. */
export function useBatch(batchId: string, userId: string): [LoadedBatch, () => Promise<void>] {
  const explain = useExplainProblem();
  const [loaded, setLoaded] = useState<LoadedBatch>({ kind: 'loading' });
  const current = useRef<BatchSession>(undefined);
  const load = useCallback(async () => {
    const earlier = current.current;
    if (earlier) {
      // Nothing may be drawn in between: it would be drawn on what is replaced.
      setLoaded({ kind: 'ready', session: earlier, isReloading: true });
      await earlier.settle();
    }
    try {
      const session = await BatchSession.open(batchId, userId, explain);
      current.current = session;
      setLoaded({ kind: 'ready', session, isReloading: false });
    } catch (error) {
      const status = error instanceof Refused ? error.status : undefined;
      setLoaded({ kind: 'failed', text: explain(error), status });
    }
  }, [batchId, userId, explain]);
  useEffect(() => {
    void load();
  }, [load]);
  return [loaded, load];
}
