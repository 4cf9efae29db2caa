import { useCallback, useEffect, useState } from 'react';
import { beat, Refused } from './api';
import { useExplainProblem } from './work-text';

/** A lease lasts an hour unless the project says otherwise; a beat in this time keeps even the shortest one. */
const BEAT_MS = 60_000;

/** Renews the batch while the page is visible. `ended` is set when the batch has ended elsewhere. */
export function useHeartbeat(batchId: string, isOwner: boolean) {
  const explain = useExplainProblem();
  const [ended, setEnded] = useState<string>();
  const check = useCallback(() => {
    beat(batchId).catch((error) => {
      if (error instanceof Refused && error.status === 409) setEnded(explain(error));
    });
  }, [batchId, explain]);
  useEffect(() => {
    if (!isOwner) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && check(), BEAT_MS);
    return () => clearInterval(timer);
  }, [check, isOwner]);
  return { ended, check };
}
