import { useEffect } from 'react';
import type { BatchActivity } from './batch-activity';
import { listenToInteraction } from './listen-to-interaction';

/** How often the time spent is kept, in ms: so much is lost at most when the page dies. */
const KEEP_MS = 5000;

/** Measures time and interaction while an item is shown. Visits to the same item add up. */
export function useActivity(activities: BatchActivity, lease: string): void {
  useEffect(() => {
    const activity = activities.of(lease);
    const { timer, recorder } = activity;
    activity.shownAt ??= performance.now();
    const controller = new AbortController();
    const { signal } = controller;
    const touch = () => timer.touch(performance.now());
    const keep = () => activities.keep(lease);
    const hide = () => {
      if (document.visibilityState === 'visible') return touch();
      timer.pause(performance.now());
      keep();
    };
    listenToInteraction(recorder, signal, activity.shownAt);
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
      window.addEventListener(type, touch, { signal, passive: true });
    document.addEventListener('visibilitychange', hide, { signal });
    touch();
    const clock = setInterval(keep, KEEP_MS);
    return () => {
      controller.abort();
      clearInterval(clock);
      timer.pause(performance.now());
      activity.readField();
      keep();
    };
  }, [activities, lease]);
}
