'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { ImageFilter } from './read-image-filter';
import { type GridImage, useImagePages } from './use-image-pages';
import { useWidth } from './use-width';

type Props = {
  project: string;
  first: { images: GridImage[]; next: string | null };
  filter: ImageFilter;
};

/** Pixels: a tile with its two lines of text, and the space between tiles. */
const TILE = 148;
const CAPTION = 40;
const GAP = 12;

/** Only the rows in sight exist in the page, so that a hundred thousand images scroll like fifty. */
export function ImageGrid({ project, first, filter }: Props) {
  const { images, next, problem, loadMore } = useImagePages(project, first, filter);
  const scroller = useRef<HTMLDivElement>(null);
  const width = useWidth(scroller);
  const columns = Math.max(1, Math.floor((width + GAP) / (TILE + GAP)));
  const tile = width ? (width - GAP * (columns - 1)) / columns : TILE;
  const rows = Math.ceil(images.length / columns);
  const virtual = useVirtualizer({
    count: rows,
    getScrollElement: () => scroller.current,
    estimateSize: () => tile + CAPTION + GAP,
    overscan: 4,
  });
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows measured for another width are of another height.
  useEffect(() => virtual.measure(), [tile]);
  useEffect(() => {
    if (next && last >= rows - 6) loadMore();
  }, [next, last, rows, loadMore]);

  return (
    <section ref={scroller} aria-label="Images" className="min-h-0 flex-1 overflow-y-auto pb-6">
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {visible.map((row) => (
          <ul
            key={row.key}
            className="absolute inset-x-0 grid"
            style={{
              transform: `translateY(${row.start}px)`,
              gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              gap: GAP,
            }}
          >
            {images.slice(row.index * columns, (row.index + 1) * columns).map((image) => (
              <Tile key={image.id} project={project} image={image} />
            ))}
          </ul>
        ))}
      </div>
      {problem && (
        <ErrorState
          title="The next images could not be loaded"
          action={<Button onClick={loadMore}>Try again</Button>}
        >
          {problem}
        </ErrorState>
      )}
    </section>
  );
}

function Tile({ project, image }: { project: string; image: GridImage }) {
  const { thumbnail } = image;
  return (
    <li className="min-w-0">
      <Link href={`/projects/${project}/images/${image.id}`} prefetch={false} className="group block">
        <Thumbnail
          src={thumbnail?.url}
          alt={image.name}
          width={thumbnail?.width ?? image.width}
          height={thumbnail?.height ?? image.height}
        />
        <p className="mt-1 truncate text-xs group-hover:text-accent" title={image.name}>
          {image.name}
        </p>
        <p className="truncate text-2xs text-ink-3">
          {image.className ?? 'no class'} · {image.width}×{image.height}
          {image.state !== 'active' && ` · ${image.state}`}
        </p>
      </Link>
    </li>
  );
}
