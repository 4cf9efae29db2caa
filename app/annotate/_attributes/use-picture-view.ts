import { type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Camera, Size } from '@/lib/core/editor/view/camera';
import type { Point } from '@/lib/core/geometry';
import {
  cameraOf,
  type PictureView,
  panPicture,
  pinchPicture,
  toggleCloseLook,
  zoomPicture,
} from './picture-view';

/** Zoom per pixel of wheel travel: a notch of 100 px is a factor of 1.22. */
const WHEEL_RATE = 0.002;
/** A wheel that counts lines means about this many pixels. */
const LINE = 16;

export type PictureControl = {
  /** Null until the pane has been measured. */
  readonly camera: Camera | null;
  readonly isFitted: boolean;
  zoomBy(factor: number): void;
  fit(): void;
  /** By a share of the pane. */
  look(dx: number, dy: number): void;
  readonly pointers: ReturnType<typeof usePointers>;
};

/** The view of a picture in a pane: wheel, double click, drag and pinch, and the same by calls. */
export function usePictureView(pane: RefObject<HTMLElement | null>, image: Size): PictureControl {
  const [view, setView] = useState<PictureView>(null);
  const viewport = useSize(pane);
  const frame = { image, viewport: viewport ?? image };
  const change = (next: (view: PictureView) => PictureView) => {
    if (viewport) setView(next);
  };
  const centre: Point = [frame.viewport.width / 2, frame.viewport.height / 2];

  const onWheel = useEffectEvent((event: WheelEvent) => {
    // The browser would zoom or scroll the page.
    event.preventDefault();
    const travel = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1);
    change((now) => zoomPicture(now, frame, pointIn(pane, event), Math.exp(-travel * WHEEL_RATE)));
  });
  useEffect(() => {
    const element = pane.current;
    const listen = (event: WheelEvent) => onWheel(event);
    // React's own wheel listeners are passive and could not keep the page from scrolling.
    element?.addEventListener('wheel', listen, { passive: false });
    return () => element?.removeEventListener('wheel', listen);
  }, [pane]);

  const pointers = usePointers(pane, {
    drag: (dx, dy) => change((now) => panPicture(now, frame, dx, dy)),
    pinch: (before, after) => change((now) => pinchPicture(now, frame, before, after)),
    doubleClick: (at) => change((now) => toggleCloseLook(now, frame, at)),
  });
  return {
    camera: viewport && cameraOf(view, frame),
    isFitted: view === null,
    zoomBy: (factor) => change((now) => zoomPicture(now, frame, centre, factor)),
    fit: () => setView(null),
    look: (dx, dy) =>
      change((now) => panPicture(now, frame, -dx * frame.viewport.width, -dy * frame.viewport.height)),
    pointers,
  };
}

function useSize(element: RefObject<HTMLElement | null>): Size | null {
  const [size, setSize] = useState<Size | null>(null);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => {
      const box = entry?.contentRect;
      if (box && box.width > 0 && box.height > 0) setSize({ width: box.width, height: box.height });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

type Gestures = {
  drag(dx: number, dy: number): void;
  pinch(before: readonly [Point, Point], after: readonly [Point, Point]): void;
  doubleClick(at: Point): void;
};

/** One pointer drags, two pinch; a third is a palm and is ignored. */
function usePointers(pane: RefObject<HTMLElement | null>, gestures: Gestures) {
  const down = useRef(new Map<number, Point>());
  const end = (event: PointerEvent) => void down.current.delete(event.pointerId);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || down.current.size >= 2) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      down.current.set(event.pointerId, pointIn(pane, event));
    },
    onPointerMove(event: PointerEvent) {
      const from = down.current.get(event.pointerId);
      if (!from) return;
      const to = pointIn(pane, event);
      const [other] = [...down.current].flatMap(([id, at]) => (id === event.pointerId ? [] : [at]));
      if (other) gestures.pinch([from, other], [to, other]);
      else gestures.drag(to[0] - from[0], to[1] - from[1]);
      down.current.set(event.pointerId, to);
    },
    onPointerUp: end,
    onPointerCancel: end,
    onDoubleClick: (event: { clientX: number; clientY: number }) =>
      gestures.doubleClick(pointIn(pane, event)),
  };
}

function pointIn(
  element: RefObject<HTMLElement | null>,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point {
  const box = element.current?.getBoundingClientRect();
  return [clientX - (box?.left ?? 0), clientY - (box?.top ?? 0)];
}
