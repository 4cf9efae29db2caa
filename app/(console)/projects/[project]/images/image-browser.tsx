'use client';

import { useVirtualizer } from '@tanstack/react-virtual';
import { Grid2x2, Grid3x3, LayoutGrid, Rows3, Shapes, Square } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { preferenceCookie } from '@/app/_shell/preferences';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { ErrorState } from '@/app/_ui/error-state';
import { IconButton } from '@/app/_ui/icon-button';
import { type ImageFilter, imageQuery } from '@/lib/services/images/image-filter';
import {
  CAPTION,
  GAP,
  ImageRow,
  ImageTile,
  ROW_HEIGHT,
  RowHead,
  tileWidths,
  useOutlines,
} from './image-cells';
import { type Ends, type GridImage, useImagePages } from './image-pages';
import { SelectionBar } from './selection-bar';
import { useGridKeys, useSelection } from './use-selection';
import { type View, viewCookie, viewWords } from './view-preference';

type ImageBrowserProps = {
  project: string;
  first: { images: GridImage[]; ends: Ends };
  filter: ImageFilter;
  view: View;
  classes: { id: string; name: string }[];
  mayWrite: boolean;
};

/** Pixels that the frame around a selected tile needs. */
const FRAME = 6;

/** The grid or table of images. Renders only visible rows, so that scrolling stays fast with 100,000 images. */
export function ImageBrowser({
  project,
  first,
  filter,
  view: remembered,
  classes,
  mayWrite,
}: ImageBrowserProps) {
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
    // The layout needs the width.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of rows depends on the width.
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
              title="Images could not be loaded"
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

type ViewOptionsProps = { view: View; onChange: (view: View) => void };

const sizeButtons = [
  { size: 'small', label: 'Small thumbnails', icon: <Grid3x3 aria-hidden /> },
  { size: 'medium', label: 'Medium thumbnails', icon: <Grid2x2 aria-hidden /> },
  { size: 'large', label: 'Large thumbnails', icon: <Square aria-hidden /> },
] as const;

/** Grid or table, thumbnail size and mask overlay; stored in this browser. */
function ViewOptions({ view, onChange }: ViewOptionsProps) {
  const choose = (change: Partial<View>) => {
    const next = { ...view, ...change };
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it with the next page.
    document.cookie = preferenceCookie(viewCookie, viewWords(next));
    onChange(next);
  };
  const isGrid = view.view === 'grid';
  return (
    <div className="ml-auto flex items-center gap-3">
      {isGrid && (
        <>
          <Toggle
            label="Masks over thumbnails"
            isOn={view.outlines}
            onPress={() => choose({ outlines: !view.outlines })}
          >
            <Shapes aria-hidden />
          </Toggle>
          <span className="flex">
            {sizeButtons.map(({ size, label, icon }) => (
              <Toggle key={size} label={label} isOn={view.size === size} onPress={() => choose({ size })}>
                {icon}
              </Toggle>
            ))}
          </span>
        </>
      )}
      <span className="flex">
        <Toggle label="Grid" isOn={isGrid} onPress={() => choose({ view: 'grid' })}>
          <LayoutGrid aria-hidden />
        </Toggle>
        <Toggle label="Table" isOn={!isGrid} onPress={() => choose({ view: 'table' })}>
          <Rows3 aria-hidden />
        </Toggle>
      </span>
    </div>
  );
}

type ToggleProps = { label: string; isOn: boolean; onPress: () => void; children: ReactNode };

const Toggle = ({ label, isOn, onPress, children }: ToggleProps) => (
  <IconButton
    label={label}
    aria-pressed={isOn}
    onClick={onPress}
    className={cn(isOn && 'bg-accent-soft text-accent')}
  >
    {children}
  </IconButton>
);

/** The inner width of an element, kept current; 0 before the first measurement. */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    setWidth(target.clientWidth);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
