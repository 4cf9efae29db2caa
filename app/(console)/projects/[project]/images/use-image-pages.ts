import { useCallback, useRef, useState } from 'react';
import { type ImageFilter, imageQuery } from './read-image-filter';

export type GridImage = {
  id: string;
  name: string;
  className: string | null;
  width: number;
  height: number;
  state: string;
  thumbnail: { url: string; width: number; height: number } | null;
};

type Pages = { images: GridImage[]; next: string | null };

const PAGE = 200;

/** The images so far and the way to the next ones, one request at a time. */
export function useImagePages(project: string, first: Pages, filter: ImageFilter) {
  const [pages, setPages] = useState(first);
  const [problem, setProblem] = useState<string>();
  const busy = useRef(false);
  const { next } = pages;

  const loadMore = useCallback(async () => {
    if (busy.current || !next) return;
    busy.current = true;
    setProblem(undefined);
    try {
      const page = await fetchPage(project, filter, next);
      setPages((sofar) => ({ images: [...sofar.images, ...page.items], next: page.next }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The server does not answer.');
    } finally {
      busy.current = false;
    }
  }, [project, filter, next]);

  return { ...pages, problem, loadMore };
}

async function fetchPage(
  project: string,
  filter: ImageFilter,
  cursor: string,
): Promise<{ items: GridImage[]; next: string | null }> {
  const query = imageQuery(filter);
  query.set('cursor', cursor);
  query.set('limit', String(PAGE));
  const response = await fetch(`/api/v1/projects/${project}/images?${query}`);
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail ?? response.statusText);
  return body;
}
