import { useEffect } from 'react';
import { isAllStored, type OutboxDriver } from '@/lib/annotator';

/** What the browser tells an outbox: the line, the page being hidden, the tab being closed. */
export function useOutboxEvents(outbox: OutboxDriver | undefined): void {
  useEffect(() => {
    if (!outbox) return;
    const controller = new AbortController();
    const { signal } = controller;
    const tellLine = () => outbox.online(navigator.onLine);
    const flushIfHidden = () => document.visibilityState === 'hidden' && outbox.flush();
    const ask = (event: BeforeUnloadEvent) => !isAllStored(outbox.state) && event.preventDefault();
    tellLine();
    window.addEventListener('online', tellLine, { signal });
    window.addEventListener('offline', tellLine, { signal });
    document.addEventListener('visibilitychange', flushIfHidden, { signal });
    window.addEventListener('pagehide', () => outbox.flush(), { signal });
    window.addEventListener('beforeunload', ask, { signal });
    return () => controller.abort();
  }, [outbox]);
}
