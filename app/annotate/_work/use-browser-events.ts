import { useEffect } from 'react';
import type { BatchDriver } from '@/lib/core/editor';

/** Passes on what the browser reports: the line, the page being hidden, the tab being closed. */
export function useBrowserEvents(driver: BatchDriver, isOwner: boolean): void {
  useEffect(() => {
    if (!isOwner) return;
    const controller = new AbortController();
    const { signal } = controller;
    const tellLine = () => driver.online(navigator.onLine);
    const flushIfHidden = () => document.visibilityState === 'hidden' && driver.flush();
    const ask = (event: BeforeUnloadEvent) => !driver.isAllStored && event.preventDefault();
    tellLine();
    window.addEventListener('online', tellLine, { signal });
    window.addEventListener('offline', tellLine, { signal });
    document.addEventListener('visibilitychange', flushIfHidden, { signal });
    window.addEventListener('pagehide', () => driver.flush(), { signal });
    window.addEventListener('beforeunload', ask, { signal });
    return () => controller.abort();
  }, [driver, isOwner]);
}
