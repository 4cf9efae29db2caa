import { useCallback, useEffect, useMemo, useReducer, useState } from 'react';
import { type ImageFilter, imageQuery } from '@/lib/services/images/image-filter';

export type GridImage = {
  id: string;
  name: string;
  className: string | null;
  groupKey: string | null;
  width: number;
  height: number;
  state: string;
  labels: number;
  lookalikeOf: string | null;
  thumbnail: { url: string; width: number; height: number } | null;
};

/** Page boundaries from the server: `ends[n]` is the last image of page n. */
export type Ends = { total: number; size: number; ends: string[] };

type Options = {
  project: string;
  filter: ImageFilter;
  ends: Ends;
  /** The first images of the list, rendered with the page. */
  images: GridImage[];
  onChange: () => void;
  onProblem: (text: string) => void;
};

/** Maximum number of cached pages, which bounds memory for long lists. */
const KEPT = 40;
/** Milliseconds that a page must stay visible before it is requested, so that dragging the scroll bar skips pages. */
const PAUSE = 60;

/**
 * A list that loads only the visible pages and their neighbours. A page is requested by the ids at its ends, so that a
 * page in the middle of 100,000 images loads as quickly as the first.
 */
export class ImagePages {
  readonly #options: Options;
  readonly #pages = new Map<number, GridImage[]>();
  /** Pages that are completely loaded. They are shorter if images have been deleted since. */
  readonly #whole = new Set<number>();
  readonly #asked = new Map<number, AbortController>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sight: [number, number] = [0, 0];

  constructor(options: Options) {
    this.#options = options;
    // The document contains less than one page; the rest is requested when it becomes visible.
    const { total, size } = options.ends;
    if (options.images.length > 0) this.#pages.set(0, options.images);
    if (options.images.length >= Math.min(total, size)) this.#whole.add(0);
  }

  get total(): number {
    return this.#options.ends.total;
  }

  /** Undefined while it loads. */
  at(index: number): GridImage | undefined {
    const { size } = this.#options.ends;
    return this.#pages.get(Math.floor(index / size))?.[index % size];
  }

  show(from: number, to: number): void {
    const { size } = this.#options.ends;
    this.#sight = [Math.floor(from / size), Math.floor(to / size)];
    for (const [page, asked] of this.#asked) if (!this.#isNear(page)) asked.abort();
    if (this.#missing().length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fetchMissing(), PAUSE);
  }

  retry(): void {
    this.#fetchMissing();
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const asked of this.#asked.values()) asked.abort();
  }

  /** Returns the images between two positions and loads missing ones. */
  async range(from: number, to: number): Promise<GridImage[]> {
    const { size } = this.#options.ends;
    const found: GridImage[] = [];
    for (let page = Math.floor(from / size); page <= Math.floor(to / size); page++) {
      const start = page * size;
      const here = this.#pages.get(page);
      const isEnough = this.#whole.has(page) || (here !== undefined && here.length > to - start);
      const images = here && isEnough ? here : await this.#fetch(page);
      found.push(...images.slice(Math.max(0, from - start), to - start + 1));
    }
    return found;
  }

  #isNear = (page: number) => page >= this.#sight[0] - 1 && page <= this.#sight[1] + 1;

  #missing(): number[] {
    const last = Math.floor(Math.max(0, this.total - 1) / this.#options.ends.size);
    const wanted = [];
    for (let page = Math.max(0, this.#sight[0]); page <= Math.min(last, this.#sight[1]); page++)
      if (!this.#whole.has(page) && !this.#asked.has(page)) wanted.push(page);
    return wanted;
  }

  #fetchMissing(): void {
    for (const page of this.#missing()) {
      const abort = new AbortController();
      this.#asked.set(page, abort);
      this.#fetch(page, abort.signal)
        .catch((error) => {
          if (!abort.signal.aborted) this.#options.onProblem(wordsOf(error));
        })
        .finally(() => {
          this.#asked.delete(page);
          this.#options.onChange();
        });
    }
  }

  async #fetch(page: number, signal?: AbortSignal): Promise<GridImage[]> {
    const { project, filter, ends } = this.#options;
    const query = imageQuery(filter);
    query.set('limit', String(ends.size));
    query.set('total', 'no');
    const after = ends.ends[page - 1];
    const until = ends.ends[page];
    if (after) query.set('cursor', cursorAfter(after));
    if (until) query.set('until', until);
    const reply = await fetch(`/api/v1/projects/${project}/images?${query}`, { signal });
    const body = await reply.json();
    if (!reply.ok) throw new Error(body.detail ?? `The server answered ${reply.status}.`);
    this.#keep(page, body.items);
    return body.items;
  }

  #keep(page: number, images: GridImage[]): void {
    this.#pages.set(page, images);
    this.#whole.add(page);
    if (this.#pages.size <= KEPT) return;
    const distance = (other: number) => Math.abs(other - this.#sight[0]);
    const farthest = [...this.#pages.keys()].sort((a, b) => distance(b) - distance(a))[0];
    if (farthest === undefined || this.#isNear(farthest)) return;
    this.#pages.delete(farthest);
    this.#whole.delete(farthest);
  }
}

/** Encodes a position as the API does: base64url. */
const cursorAfter = (id: string): string =>
  btoa(JSON.stringify([id]))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const wordsOf = (error: unknown): string =>
  error instanceof Error && error.name !== 'TypeError'
    ? error.message
    : 'The server did not respond. Check your connection and try again.';

type First = { images: GridImage[]; ends: Ends };

/** Loads the images of a list page by page while scrolling; resets when the server sends another list. */
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
