'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';

/** Milliseconds between two readings of the page, however fast the news come. */
const PAUSE = 1000;

/** Reads the page again while jobs move. */
export function LiveRefresh() {
  const router = useRouter();
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource('/api/v1/jobs/stream');
    source.onmessage = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        router.refresh();
      }, PAUSE);
    };
    return () => {
      source.close();
      clearTimeout(waiting);
    };
  }, [router]);
  return null;
}
