import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { InteractionRecorder, type InteractionSummary } from '@/lib/quality/interaction';
import { ActivityTimer } from './activity-timer';
import { listenToInteraction } from './listen-to-interaction';
import type { LocalStore, Progress } from './local-store';

/** How often the time spent is kept, in ms: so much is lost at most when the page dies. */
const KEEP_MS = 5000;

/** The API accepts no longer ones. */
const MAX_CODE_LENGTH = 200;

export type Activity = {
  readonly timer: ActivityTimer;
  /** What an answer is sent with: the same id however often it is tried. */
  readonly progress: () => Progress;
  /** How the answer was entered, and what a program wrote into the field that people cannot see. */
  readonly evidence: () => { interaction: InteractionSummary; programCode?: string };
  readonly programField: RefObject<HTMLInputElement | null>;
};

/**
 * Time spent on an item, how it is worked on, and the id of its answer, all kept over a reload. `hasDraft`: the item was
 * begun before this page was opened.
 */
export function useActivity(store: LocalStore, lease: string, hasDraft: boolean): Activity {
  const timer = useMemo(() => new ActivityTimer(), []);
  const recorder = useMemo(() => new InteractionRecorder(), []);
  const answerId = useRef<string>(undefined);
  const programField = useRef<HTMLInputElement>(null);
  // A batch that is loaded again while somebody works has a draft as well.
  const beganEarlier = useRef(hasDraft);
  const activity = useMemo(
    () => ({
      timer,
      progress: () => {
        answerId.current ??= crypto.randomUUID();
        return {
          answerId: answerId.current,
          activeMs: timer.spent(performance.now()),
          interaction: recorder.state,
        };
      },
      evidence: () => {
        const programCode = programField.current?.value.slice(0, MAX_CODE_LENGTH);
        return { interaction: recorder.summary(), ...(programCode && { programCode }) };
      },
      programField,
    }),
    [timer, recorder],
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
      recorder.resume(found.interaction);
    });
    if (beganEarlier.current) recorder.resume();
    listenToInteraction(recorder, signal);
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel'])
      window.addEventListener(type, touch, { signal, passive: true });
    document.addEventListener('visibilitychange', hide, { signal });
    touch();
    const clock = setInterval(keep, KEEP_MS);
    return () => {
      controller.abort();
      clearInterval(clock);
    };
  }, [store, lease, timer, recorder, activity]);
  return activity;
}
