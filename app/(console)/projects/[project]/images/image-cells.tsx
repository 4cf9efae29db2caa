import { Check } from 'lucide-react';
import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import { cn } from '@/app/_ui/cn';
import { type Outline, OutlinePaths } from '@/app/_ui/outlined-picture';
import { State } from '@/app/_ui/state';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { formatNumber } from '@/lib/core/format';
import type { GridImage } from './image-pages';
import { PLACE } from './use-selection';

export const ROW_HEIGHT = 40;

const cells =
  'grid grid-cols-[1.5rem_2.25rem_minmax(10rem,3fr)_minmax(6rem,1fr)_minmax(5rem,1fr)_7rem_4.5rem_6rem] items-center gap-x-3';

/** The titles of the columns, above the scrolling list. */
export const RowHead = () => (
  <div aria-hidden className={cn(cells, 'border-b border-line pr-4 pb-1 text-xs font-medium text-ink-3')}>
    <span className="col-span-2" />
    <span>Name</span>
    <span>Class</span>
    <span>Group</span>
    <span className="text-right">Size, pixels</span>
    <span className="text-right">Labels</span>
    <span>State</span>
  </div>
);

type ImageRowProps = {
  index: number;
  image: GridImage | undefined;
  href: string;
  isSelected: boolean;
  onPick: (index: number, isRange: boolean) => void;
};

export function ImageRow({ index, image, href, isSelected, onPick }: ImageRowProps) {
  return (
    <li
      style={{ height: ROW_HEIGHT }}
      className={cn(cells, 'border-b border-line pr-1', isSelected ? 'bg-accent-soft' : 'hover:bg-hover/60')}
    >
      {image && (
        <>
          <PickBox index={index} name={image.name} isSelected={isSelected} onPick={onPick} inRow />
          <Thumbnail
            src={image.thumbnail?.url}
            alt=""
            width={image.thumbnail?.width ?? image.width}
            height={image.thumbnail?.height ?? image.height}
            className="size-9 rounded-sm"
          />
          <Link
            href={href}
            prefetch={false}
            tabIndex={-1}
            {...{ [PLACE]: index }}
            title={image.name}
            className="truncate rounded-sm hover:text-accent"
          >
            {image.name}
          </Link>
          <span className="truncate">{image.className ?? <span className="text-ink-3">no class</span>}</span>
          <span className="truncate text-ink-2">{image.groupKey ?? '–'}</span>
          <span className="text-right tabular-nums">
            {image.width} × {image.height}
          </span>
          <span className="text-right tabular-nums">{formatNumber(image.labels)}</span>
          <State state={image.state} />
        </>
      )}
    </li>
  );
}

/** In pixels: minimum tile width by size, height of the two lines of text, and gap between tiles. */
export const tileWidths = { small: 104, medium: 148, large: 236 };
export const CAPTION = 40;
export const GAP = 12;

type ImageTileProps = {
  index: number;
  /** Undefined while it loads. The tile reserves its space, so that the layout does not shift. */
  image: GridImage | undefined;
  href: string;
  side: number;
  outlined: Outlined | null | undefined;
  isSelected: boolean;
  onPick: (index: number, isRange: boolean) => void;
};

export function ImageTile({ index, image, href, side, outlined, isSelected, onPick }: ImageTileProps) {
  if (!image) {
    return (
      <li className="min-w-0" style={{ height: side + CAPTION }}>
        <span className="block rounded-md bg-sunken" style={{ height: side }} />
      </li>
    );
  }
  const { thumbnail } = image;
  return (
    <li className="group relative min-w-0" style={{ height: side + CAPTION }}>
      <Link
        href={href}
        prefetch={false}
        tabIndex={-1}
        {...{ [PLACE]: index }}
        className={cn(
          'block rounded-md outline-offset-2',
          isSelected && 'ring-2 ring-accent ring-offset-2 ring-offset-canvas',
        )}
      >
        <span
          className={cn('relative block', image.state === 'excluded' && 'opacity-45')}
          style={{ height: side }}
        >
          <Thumbnail
            src={thumbnail?.url}
            alt={image.name}
            width={thumbnail?.width ?? image.width}
            height={thumbnail?.height ?? image.height}
            className="size-full"
          />
          {outlined && <Outlines outlined={outlined} />}
        </span>
        <span className="mt-1 block truncate text-xs group-hover:text-accent" title={image.name}>
          {image.name}
        </span>
        <span className="block truncate text-2xs text-ink-3">
          {image.className ?? 'no class'} · {image.width}×{image.height}
          {image.state !== 'active' && ` · ${image.state}`}
        </span>
      </Link>
      <PickBox index={index} name={image.name} isSelected={isSelected} onPick={onPick} />
    </li>
  );
}

/** Outlines over the thumbnail, which shows the whole picture in a square. */
function Outlines({ outlined }: { outlined: Outlined }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${outlined.width} ${outlined.height}`}
      className="pointer-events-none absolute inset-0 size-full"
    >
      <OutlinePaths outlines={outlined.outlines} fillOpacity={0.22} strokeWidth={1.25} />
    </svg>
  );
}

type PickBoxProps = {
  index: number;
  name: string;
  isSelected: boolean;
  onPick: (index: number, isRange: boolean) => void;
  /** In a table row, where the box is always visible. */
  inRow?: boolean;
};

/** The corner of a tile that selects it. Not in the tab order, because the space bar does the same. */
function PickBox({ index, name, isSelected, onPick, inRow }: PickBoxProps) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={`Select ${name}`}
      tabIndex={-1}
      onClick={(event) => onPick(index, event.shiftKey)}
      className={cn(
        'flex size-6 items-center justify-center',
        !inRow && 'absolute top-0.5 left-0.5 opacity-0 group-hover:opacity-100 focus:opacity-100',
        isSelected && 'opacity-100',
      )}
    >
      <span
        className={cn(
          'flex size-4 items-center justify-center rounded-sm border',
          isSelected ? 'border-accent-fill bg-accent-fill text-on-fill' : 'border-line-strong bg-raised',
        )}
      >
        {isSelected && <Check aria-hidden className="size-3" strokeWidth={3} />}
      </span>
    </button>
  );
}

type Outlined = { imageId: string; width: number; height: number; outlines: Outline[] };

const AT_ONCE = 100;
/** Milliseconds without scrolling before outlines are requested. */
const PAUSE = 150;
/** Maximum number of images whose outlines are cached. */
const KEPT = 2000;

type Known = ReadonlyMap<string, Outlined | null>;

/** Loads the outlines of visible images when scrolling pauses. */
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

/** Adds loaded outlines to the cache and drops the oldest ones of images that are not visible. */
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

/** Returns undefined on failure: the images remain visible, and the next pause in scrolling retries. */
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
