'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ErrorState } from '@/app/_ui/error-state';
import { type ImageFilter, imageQuery } from '@/lib/services/images/image-filter';
import type { Ends, GridImage } from './image-pages';
import { ImageRow, ROW_HEIGHT, RowHead } from './image-row';
import { CAPTION, GAP, ImageTile, tileWidths } from './image-tile';
import { SelectionBar } from './selection-bar';
import { useGridKeys } from './use-grid-keys';
import { useImagePages } from './use-image-pages';
import { useOutlines } from './use-outlines';
import { useSelection } from './use-selection';
import { useWidth } from './use-width';
import { ViewOptions } from './view-options';
import type { View } from './view-preference';

type Props = {
  project: string;
  first: { images: GridImage[]; ends: Ends };
  filter: ImageFilter;
  view: View;
  classes: { id: string; name: string }[];
  mayWrite: boolean;
};

/** Pixels that the frame around a selected tile needs. */
const FRAME = 6;

/** Only the rows in sight exist in the page, so that a hundred thousand images scroll like fifty. */
export function ImageBrowser({ project, first, filter, view: remembered, classes, mayWrite }: Props) {
  const [view, setView] = useState(remembered);
  const { pages, problem, show, retry } = useImagePages(project, first, filter);
  const selection = useSelection(pages);
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const width = useWidth(list);
  const isTable = view.view === 'table';
  const wanted = tileWidths[view.size];
  const columns = isTable ? 1 : Math.max(1, Math.floor((width + GAP) / (wanted + GAP)));
  const tile = width ? (width - GAP * (columns - 1)) / columns : wanted;
  const height = isTable ? ROW_HEIGHT : Math.round(tile) + CAPTION + GAP;
  const virtual = useVirtualizer({
    // Before the width is known nothing can be laid out.
    count: width ? Math.ceil(pages.total / columns) : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: isTable ? 10 : 3,
    // The frame around a selected tile of the first row must not be cut off.
    paddingStart: isTable ? 0 : FRAME,
  });
  const rows = virtual.getVirtualItems();
  const from = (rows[0]?.index ?? 0) * columns;
  const to = Math.min(pages.total, ((rows.at(-1)?.index ?? 0) + 1) * columns) - 1;
  const inSight = places(from, to).flatMap((index) => pages.at(index)?.id ?? []);
  const outlines = useOutlines(project, inSight, view.outlines && !isTable);
  const query = imageQuery(filter).toString();
  const hrefOf = (image: GridImage) => `/projects/${project}/images/${image.id}${query && `?${query}`}`;
  const keys = useGridKeys({ pages, selection, columns, virtual, scroller, hrefOf });

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows measured for another width are of another height.
  useEffect(() => virtual.measure(), [height]);
  useEffect(() => show(from, to), [show, from, to]);

  const tileOf = (index: number) => {
    const image = pages.at(index);
    const common = {
      index,
      image,
      href: image ? hrefOf(image) : '',
      isSelected: image !== undefined && selection.has(image),
      onPick: keys.pick,
    };
    return isTable ? (
      <ImageRow key={index} {...common} />
    ) : (
      <ImageTile
        key={index}
        {...common}
        side={Math.round(tile)}
        outlined={view.outlines && image ? outlines.get(image.id) : null}
      />
    );
  };

  return (
    <>
      <div className="flex min-h-7 flex-wrap items-center gap-x-4 gap-y-2">
        <SelectionBar
          project={project}
          selection={selection}
          total={pages.total}
          filter={filter}
          classes={classes}
          mayWrite={mayWrite}
        />
        <ViewOptions view={view} onChange={setView} />
      </div>
      {isTable && <RowHead />}
      <section
        ref={scroller}
        aria-label="Images"
        aria-describedby="image-keys"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        onKeyDown={keys.onKeyDown}
        className="-mx-1.5 min-h-0 flex-1 overflow-y-auto px-1.5 pb-6 outline-offset-[-2px] [scrollbar-gutter:stable]"
      >
        <div ref={list} className="relative" style={{ height: virtual.getTotalSize() }}>
          {rows.map((row) => (
            <ul
              key={row.key}
              className="absolute inset-x-0 grid"
              style={{
                transform: `translateY(${row.start}px)`,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
                gap: isTable ? 0 : GAP,
              }}
            >
              {places(row.index * columns, Math.min(pages.total, (row.index + 1) * columns) - 1).map(tileOf)}
            </ul>
          ))}
        </div>
        {problem && (
          <div className="sticky bottom-0">
            <ErrorState
              title="These images could not be loaded"
              action={<Button onClick={retry}>Try again</Button>}
            >
              {problem}
            </ErrorState>
          </div>
        )}
      </section>
      <p id="image-keys" className="sr-only">
        Arrow keys move, Enter opens, Space selects, Shift with an arrow extends the selection, Control and A
        selects all, Escape clears the selection.
      </p>
    </>
  );
}

const places = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
