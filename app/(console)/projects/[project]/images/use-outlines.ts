import { useEffect, useRef, useState } from 'react';
import type { Outline } from '@/app/_ui/outlined-picture';

export type Outlined = { imageId: string; width: number; height: number; outlines: Outline[] };

const AT_ONCE = 100;
/** Milliseconds without scrolling before outlines are asked for. */
const PAUSE = 150;
/** Images whose masks are remembered: many screens, and yet not all of a hundred thousand. */
const KEPT = 2000;

type Known = ReadonlyMap<string, Outlined | null>;

/** The masks of the images in sight, asked for in one request each time the eye rests. */
export function useOutlines(project: string, ids: readonly string[], isWanted: boolean) {
  const [known, setKnown] = useState<Known>(new Map());
  const latest = useRef(known);
  latest.current = known;
  const inSight = ids.join(',');

  useEffect(() => {
    if (!isWanted || inSight === '') return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const seen = new Set(inSight.split(','));
      const missing = [...seen].filter((id) => !latest.current.has(id));
      for (let from = 0; from < missing.length; from += AT_ONCE) {
        const wanted = missing.slice(from, from + AT_ONCE);
        const images = await fetchOutlines(project, wanted, abort.signal);
        if (!images) return;
        setKnown((now) => withOutlines(now, wanted, images, seen));
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [project, inSight, isWanted]);
  return known;
}

/** What is known with what came; the oldest that are out of sight are forgotten, and asked for again if need be. */
export function withOutlines(
  now: Known,
  wanted: readonly string[],
  images: readonly Outlined[],
  inSight: ReadonlySet<string>,
): Known {
  const next = new Map(now);
  for (const id of wanted) next.set(id, null);
  for (const image of images) next.set(image.imageId, image);
  for (const id of next.keys()) {
    if (next.size <= KEPT) break;
    if (!inSight.has(id)) next.delete(id);
  }
  return next;
}

/** Undefined when it failed: the pictures are there all the same, and the next rest of the eye asks again. */
async function fetchOutlines(
  project: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<Outlined[] | undefined> {
  try {
    const address = `/api/v1/projects/${project}/images/outlines?ids=${ids.join(',')}`;
    const reply = await fetch(address, { signal });
    return reply.ok ? (await reply.json()).images : undefined;
  } catch {
    return undefined;
  }
}
