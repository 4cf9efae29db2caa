import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import type { ImageFilter } from '@/lib/services/images/image-filter';
import { type Ends, type GridImage, ImagePages } from './image-pages';

type First = { images: GridImage[]; ends: Ends };

/** The images of a list, page by page as they are looked at; begun anew when the server sends another list. */
export function useImagePages(project: string, first: First, filter: ImageFilter) {
  const [, redraw] = useReducer((n: number) => n + 1, 0);
  const [problem, setProblem] = useState<string>();
  const pages = useMemo(
    () => new ImagePages({ project, filter, ...first, onChange: redraw, onProblem: setProblem }),
    [project, filter, first],
  );
  useEffect(() => () => pages.stop(), [pages]);

  const show = useCallback((from: number, to: number) => pages.show(from, to), [pages]);
  const retry = useCallback(() => {
    setProblem(undefined);
    pages.retry();
  }, [pages]);
  return { pages, problem, show, retry };
}
