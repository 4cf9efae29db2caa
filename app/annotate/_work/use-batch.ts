import { useCallback, useEffect, useState } from 'react';
import { getBatch, Refused, type WorkBatch } from './api';
import { LocalStore } from './local-store';

export type LoadedBatch =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly text: string; readonly status: number | undefined }
  | { readonly kind: 'ready'; readonly batch: WorkBatch; readonly store: LocalStore };

/** The batch as the server has it now, and the browser's storage beside it. */
export function useBatch(batchId: string, userId: string): [LoadedBatch, () => Promise<void>] {
  const [loaded, setLoaded] = useState<LoadedBatch>({ kind: 'loading' });
  const load = useCallback(async () => {
    try {
      const [batch, store] = await Promise.all([getBatch(batchId), LocalStore.open(userId)]);
      setLoaded({ kind: 'ready', batch, store });
    } catch (error) {
      const isAnswer = error instanceof Refused;
      const text = isAnswer
        ? error.message
        : 'The server does not answer. Check your connection and try again.';
      setLoaded({ kind: 'failed', text, status: isAnswer ? error.status : undefined });
    }
  }, [batchId, userId]);
  useEffect(() => {
    void load();
  }, [load]);
  return [loaded, load];
}
