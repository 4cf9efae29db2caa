import { useEffect, useState } from 'react';
import { beat, Refused } from './api';

/** A lease lasts an hour unless the project says otherwise; a beat in this time keeps even the shortest one. */
const BEAT_MS = 60_000;

/** Says that the person is still there while the page is looked at; tells when the batch is not theirs any more. */
export function useHeartbeat(batchId: string, isOwner: boolean): string | undefined {
  const [ended, setEnded] = useState<string>();
  useEffect(() => {
    if (!isOwner) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      beat(batchId).catch((error) => {
        if (error instanceof Refused && error.status === 409) setEnded(error.message);
      });
    }, BEAT_MS);
    return () => clearInterval(timer);
  }, [batchId, isOwner]);
  return ended;
}
