import { useCallback, useMemo, useRef, useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { formatNumber } from '@/lib/core/format';
import { mostPicked } from '@/lib/services/images/image-change';
import type { GridImage, ImagePages } from './image-pages';

/** Picked one by one, or everything that the filter leaves. */
type Picked = { all: boolean; ids: ReadonlySet<string> };

const nothing: Picked = { all: false, ids: new Set() };

/**
 * Ticking an image, or un-ticking it. When everything is selected, there is no list of ids to take one from: then
 * nothing is selected any more, and never just the image that was meant to be left out.
 */
export function toggled(now: Picked, imageId: string): Picked {
  if (now.all) return nothing;
  const ids = new Set(now.ids);
  if (!ids.delete(imageId)) ids.add(imageId);
  return { all: false, ids };
}

/** Which images are selected. A range is filled with images that were never scrolled to, too. */
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
          'Nothing is selected now: all that match can only be selected together. Narrow the filter instead.',
        );
    },
    [isAll],
  );

  const extend = useCallback(
    async (index: number) => {
      const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)];
      if (to - from >= mostPicked) {
        toast.error(
          `At most ${formatNumber(mostPicked)} images can be picked: select all that match instead.`,
        );
        return;
      }
      try {
        const images = await pages.range(from, to);
        setPicked((now) => {
          // The range is selected already, with everything else.
          if (now.all) return now;
          const ids = new Set([...now.ids, ...images.map((image) => image.id)]);
          if (ids.size <= mostPicked) return { all: false, ids };
          toast.error(`At most ${formatNumber(mostPicked)} images can be picked.`);
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
