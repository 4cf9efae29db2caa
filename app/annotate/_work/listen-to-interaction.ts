import { isReplayedKey } from '@/app/_ui/use-key-queue';
import type { InteractionEvent, InteractionRecorder } from '@/lib/core/quality/interaction';

/** Positions that one event may carry; a browser merges far fewer into a frame. */
const MAX_TRAIL = 64;

const pointerKinds = { pointerdown: 'down', pointermove: 'move', pointerup: 'up' } as const;

/**
 * Feeds the events of the whole page to a recorder until the signal aborts. Which keys are pressed is not looked at.
 * Times count from when the item was first shown.
 */
export function listenToInteraction(
  recorder: InteractionRecorder,
  signal: AbortSignal,
  shownAt: number,
): void {
  const timeOf = (event: Event) => Math.max(0, event.timeStamp - shownAt);
  const plain = (kind: 'wheel' | 'click' | 'leave') => (event: Event) =>
    recorder.record({ kind, time: timeOf(event), isTrusted: event.isTrusted });
  const options = { signal, passive: true, capture: true } as const;
  for (const [type, kind] of Object.entries(pointerKinds))
    window.addEventListener(
      type,
      (event) => recorder.record(pointerEvent(kind, event as PointerEvent, timeOf(event))),
      options,
    );
  const key = (event: Event) => {
    const isReplayed = isReplayedKey(event);
    const isTrusted = event.isTrusted || isReplayed;
    recorder.record({ kind: 'key', time: timeOf(event), isTrusted, isReplayed });
  };
  window.addEventListener('keydown', (event) => event.repeat || key(event), options);
  window.addEventListener('wheel', plain('wheel'), options);
  window.addEventListener('click', plain('click'), options);
  const leave = plain('leave');
  // The focus of single elements changes all the time; only the window's counts.
  window.addEventListener('blur', (event) => event.target === window && leave(event), options);
  document.addEventListener('visibilitychange', (event) => document.hidden && leave(event), options);
}

function pointerEvent(
  kind: (typeof pointerKinds)[keyof typeof pointerKinds],
  event: PointerEvent,
  time: number,
): InteractionEvent {
  const { clientX: x, clientY: y, pointerType, isTrusted } = event;
  const pointer = pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse';
  return { kind, time, x, y, pointer, isTrusted, trail: kind === 'move' ? trailOf(event) : [] };
}

/** Where the pointer was since the last event, without the event's own place. */
const trailOf = (event: PointerEvent): number[] =>
  (event.getCoalescedEvents?.() ?? [])
    .slice(0, -1)
    .slice(-MAX_TRAIL)
    .flatMap(({ clientX, clientY }) => [clientX, clientY]);
