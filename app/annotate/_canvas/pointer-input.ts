import type { Editor, PointerInput } from '@/lib/core/editor';

const kinds = {
  pointerdown: 'pointer-down',
  pointermove: 'pointer-move',
  pointerup: 'pointer-up',
  pointercancel: 'pointer-cancel',
} as const;

/** Brings the pointer events of an element to the editor: mouse, pen and touch alike. */
export function listenToPointers(element: HTMLElement, editor: Editor): () => void {
  const onPointer = (event: PointerEvent) => {
    const box = element.getBoundingClientRect();
    if (event.type === 'pointerdown') {
      element.focus({ preventScroll: true });
      element.setPointerCapture(event.pointerId);
    }
    editor.dispatch(inputOf(event, box));
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const box = element.getBoundingClientRect();
    editor.dispatch({
      type: 'wheel',
      x: event.clientX - box.left,
      y: event.clientY - box.top,
      dx: event.deltaX * unit(event, box),
      dy: event.deltaY * unit(event, box),
      shift: event.shiftKey,
      mod: event.ctrlKey || event.metaKey,
    });
  };
  const noMenu = (event: Event) => event.preventDefault();
  const controller = new AbortController();
  const { signal } = controller;
  for (const type of Object.keys(kinds) as (keyof typeof kinds)[])
    element.addEventListener(type, onPointer, { signal });
  element.addEventListener('wheel', onWheel, { signal, passive: false });
  element.addEventListener('contextmenu', noMenu, { signal });
  return () => controller.abort();
}

function inputOf(event: PointerEvent, box: DOMRect): PointerInput {
  return {
    type: kinds[event.type as keyof typeof kinds],
    pointerId: event.pointerId,
    pointer: event.pointerType === 'touch' || event.pointerType === 'pen' ? event.pointerType : 'mouse',
    x: event.clientX - box.left,
    y: event.clientY - box.top,
    button: event.button,
    shift: event.shiftKey,
    alt: event.altKey,
    time: event.timeStamp,
    trail: event.type === 'pointermove' ? trailOf(event, box) : [],
  };
}

/** Where the pointer was since the last frame, without the event's own place. */
function trailOf(event: PointerEvent, box: DOMRect): number[] {
  const places = event.getCoalescedEvents?.() ?? [];
  return places.slice(0, -1).flatMap(({ clientX, clientY }) => [clientX - box.left, clientY - box.top]);
}

/** A notch of an old wheel is a line or a page, in screen pixels. */
function unit({ deltaMode }: WheelEvent, box: DOMRect): number {
  if (deltaMode === WheelEvent.DOM_DELTA_LINE) return 16;
  return deltaMode === WheelEvent.DOM_DELTA_PAGE ? box.height : 1;
}
