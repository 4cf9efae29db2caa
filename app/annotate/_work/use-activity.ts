import { useEffect, useMemo, useRef } from 'react';
import { ActivityTimer } from './activity-timer';
import type { LocalStore, Progress } from './local-store';

/** How often the time spent is kept, in ms: so much is lost at most when the page dies. */
const KEEP_MS = 5000;

export type Activity = {
  readonly timer: ActivityTimer;
  /** What an answer is sent with: the same id however often it is tried. */
  readonly progress: () => Progress;
};

/** Time spent on an item and the id of its answer, both kept over a reload. */
export function useActivity(store: LocalStore, lease: string): Activity {
  const timer = useMemo(() => new ActivityTimer(), []);
  const answerId = useRef<string>(undefined);
  const activity = useMemo(
    () => ({
      timer,
      progress: () => {
        answerId.current ??= crypto.randomUUID();
        return { answerId: answerId.current, activeMs: timer.spent(performance.now()) };
      },
    }),
    [timer],
  );
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const touch = () => timer.touch(performance.now());
    const keep = () => void store.write('progress', lease, activity.progress()).catch(() => undefined);
    const hide = () => {
      if (document.visibilityState === 'visible') return touch();
      timer.pause(performance.now());
      keep();
    };
    void store.read('progress', lease).then((found) => {
      if (!found || signal.aborted) return;
      answerId.current = found.answerId;
      timer.add(found.activeMs);
    });
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
      window.addEventListener(type, touch, { signal, passive: true });
    document.addEventListener('visibilitychange', hide, { signal });
    touch();
    const clock = setInterval(keep, KEEP_MS);
    return () => {
      controller.abort();
      clearInterval(clock);
    };
  }, [store, lease, timer, activity]);
  return activity;
}
