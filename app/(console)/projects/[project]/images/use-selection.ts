import type { Virtualizer } from '@tanstack/react-virtual';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef, useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { formatNumber } from '@/lib/core/format';
import { MAX_PICKED } from '@/lib/services/images/image-change';
import type { GridImage, ImagePages } from './image-pages';

/** Selected images one by one, or all images that match the filter. */
type Picked = { all: boolean; ids: ReadonlySet<string> };

const nothing: Picked = { all: false, ids: new Set() };

/**
 * Selects an image or removes it from the selection. If all matching images are selected, there is no list of ids to
 * remove one from, so the whole selection is cleared.
 */
export function toggled(now: Picked, imageId: string): Picked {
  if (now.all) return nothing;
  const ids = new Set(now.ids);
  if (!ids.delete(imageId)) ids.add(imageId);
  return { all: false, ids };
}

/** The selected images. A range includes images that have not been loaded yet. */
export function useSelection(pages: ImagePages) {
  const [picked, setPicked] = useState(nothing);
  const anchor = useRef(0);

  const isAll = picked.all;
  const toggle = useCallback(
    (index: number, image: GridImage) => {
      anchor.current = index;
      setPicked((now) => toggled(now, image.id));
      if (isAll)
        toast(
          'Selection cleared. Single images cannot be removed from “all matching images”; narrow the filter instead.',
        );
    },
    [isAll],
  );

  const extend = useCallback(
    async (index: number) => {
      const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
      if (to - from >= MAX_PICKED) {
        toast.error(
          `At most ${formatNumber(MAX_PICKED)} images can be selected one by one. Select all matching images instead.`,
        );
        return;
      }
      try {
        const images = await pages.range(from, to);
        setPicked((now) => {
          // The range is selected already, with everything else.
          if (now.all) return now;
          const ids = new Set([...now.ids, ...images.map((image) => image.id)]);
          if (ids.size <= MAX_PICKED) return { all: false, ids };
          toast.error(`At most ${formatNumber(MAX_PICKED)} images can be selected one by one.`);
          return now;
        });
      } catch {
        toast.error('The images in between could not be loaded. Try again.');
      }
    },
    [pages],
  );

  const selectAll = useCallback(() => setPicked({ all: true, ids: new Set() }), []);
  const clear = useCallback(() => setPicked(nothing), []);
  return useMemo(
    () => ({
      all: picked.all,
      ids: picked.ids,
      count: picked.all ? pages.total : picked.ids.size,
      has: (image: GridImage) => picked.all || picked.ids.has(image.id),
      setAnchor: (index: number) => {
        anchor.current = index;
      },
      toggle,
      extend,
      selectAll,
      clear,
    }),
    [picked, pages, toggle, extend, selectAll, clear],
  );
}

export type Selection = ReturnType<typeof useSelection>;

type Options = {
  pages: ImagePages;
  selection: Selection;
  columns: number;
  virtual: Virtualizer<HTMLElement, Element>;
  scroller: RefObject<HTMLElement | null>;
  hrefOf: (image: GridImage) => string;
};

/** The HTML attribute with the position of an image in the list. */
export const PLACE = 'data-place';

/** Keyboard control: moving, opening and selecting. The focused image is the current position. */
export function useGridKeys({ pages, selection, columns, virtual, scroller, hrefOf }: Options) {
  const router = useRouter();
  const current = useRef(-1);
  /** The image that will receive the focus. Keys pressed meanwhile apply to it. */
  const isMoving = useRef(false);

  const focus = useCallback(
    (index: number) => {
      current.current = index;
      virtual.scrollToIndex(Math.floor(index / columns), { align: 'auto' });
      // The row may not be rendered yet.
      let tries = 0;
      isMoving.current = true;
      const grasp = () => {
        if (current.current !== index) return;
        const link = scroller.current?.querySelector<HTMLElement>(`[${PLACE}="${index}"]`);
        if (!link && ++tries < 60) {
          requestAnimationFrame(grasp);
          return;
        }
        isMoving.current = false;
        link?.focus({ preventScroll: true });
      };
      requestAnimationFrame(grasp);
    },
    [virtual, columns, scroller],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const focused = target.closest(`[${PLACE}]`)?.getAttribute(PLACE);
    // On other buttons, such as "Try again", these keys press the button; arrow keys still move.
    const isPress = event.key === ' ' || event.key === 'Enter';
    if (isPress && !focused && !isMoving.current && target.closest('button, a')) return;
    const here = focused && !isMoving.current ? Number(focused) : current.current;
    if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
      event.preventDefault();
      selection.selectAll();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page =
      columns * Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight(virtual)));
    const next = nextPlace(event.key, here, columns, page, pages.total);
    if (next !== null) {
      event.preventDefault();
      if (event.shiftKey && here >= 0) {
        if (selection.count === 0) selection.setAnchor(here);
        selection.extend(next);
      }
      focus(next);
      return;
    }
    const image = here >= 0 ? pages.at(here) : undefined;
    if (event.key === 'Escape') selection.clear();
    else if (event.key === ' ' && image) {
      event.preventDefault();
      if (event.shiftKey) selection.extend(here);
      else selection.toggle(here, image);
    } else if (event.key === 'Enter' && image) {
      event.preventDefault();
      router.push(hrefOf(image));
    }
  };

  /** Mouse: selects this image, or with Shift the range up to it. */
  const pick = (index: number, isRange: boolean) => {
    const image = pages.at(index);
    if (!image) return;
    current.current = index;
    if (isRange) selection.extend(index);
    else selection.toggle(index, image);
  };

  return { onKeyDown, pick };
}

const rowHeight = (virtual: Virtualizer<HTMLElement, Element>) => virtual.options.estimateSize(0);

function nextPlace(key: string, here: number, columns: number, page: number, total: number): number | null {
  const steps: Record<string, number> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    PageDown: page,
    PageUp: -page,
  };
  if (total === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End') return total - 1;
  const step = steps[key];
  if (step === undefined) return null;
  if (here < 0) return 0;
  return Math.min(total - 1, Math.max(0, here + step));
}
