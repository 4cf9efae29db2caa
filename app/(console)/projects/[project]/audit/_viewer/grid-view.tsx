'use client';

import { Check, X } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { Kbd } from '@/app/_ui/kbd';
import { formatCount, formatPercent } from '@/lib/core/format';
import { warningOf } from '@/lib/core/quality/warnings';
import type { QueueRow } from './audit-api';
import { closeUp, layersOf } from './layers';
import { LabelPicture } from './picture-pane';
import { ReasonDialog } from './reason-dialog';
import { useAuditKeys } from './use-audit-keys';
import type { useQueue } from './use-queue';
import type { Mark, Verdicts } from './use-verdicts';

type GridViewProps = {
  names: Readonly<Record<string, string>>;
  queue: ReturnType<typeof useQueue>;
  verdicts: Verdicts;
  closed?: string;
  isOn: boolean;
  onOpen: (place: number) => void;
  onLeave: () => void;
  onUndo: () => void;
  onKeys: () => void;
};

/** Many labels at once, each cut out around its mask: for quick passes over small ones. */
export function GridView({
  names,
  queue,
  verdicts,
  closed,
  isOn,
  onOpen,
  onLeave,
  onUndo,
  onKeys,
}: GridViewProps) {
  const { rows, index, goTo } = queue;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsked, setAsked] = useState(false);
  const grid = useRef<HTMLDivElement>(null);
  const open = rows.filter((row) => !verdicts.marks[row.labelId]);
  const current = rows[index];
  const selected = open.filter((row) => chosen.has(row.labelId)).map((row) => row.labelId);
  const meant =
    selected.length > 0 ? selected : open.filter((row) => row === current).map((row) => row.labelId);

  useEffect(() => {
    grid.current?.querySelector(`[data-place="${index}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [index]);

  const toggle = (labelId: string) => {
    const next = new Set(chosen);
    if (!next.delete(labelId)) next.add(labelId);
    setChosen(next);
  };
  const act = (verdict: { verdict: 'accepted' } | { verdict: 'rejected'; reason: string }) => {
    if (closed || meant.length === 0) return;
    void verdicts.decideMany(meant, verdict);
    setChosen(new Set());
    if (selected.length === 0) goTo(index + 1);
  };
  const isAll = open.length > 0 && selected.length === open.length;
  const selectAll = () => setChosen(isAll ? new Set() : new Set(open.map((row) => row.labelId)));
  const across = () => grid.current && getComputedStyle(grid.current).gridTemplateColumns.split(' ').length;
  useAuditKeys(
    'grid',
    {
      accept: () => act({ verdict: 'accepted' }),
      reject: () => !closed && meant.length > 0 && setAsked(true),
      undo: onUndo,
      grid: onLeave,
      left: () => goTo(index - 1),
      'right-of': () => goTo(index + 1),
      up: () => goTo(index - (across() ?? 1)),
      down: () => goTo(index + (across() ?? 1)),
      select: () => current && toggle(current.labelId),
      'select-all': selectAll,
      open: () => onOpen(index),
      shortcuts: onKeys,
    },
    isOn && !isAsked,
  );

  return (
    <>
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-line bg-surface px-3">
        <p className="flex-1 text-ink-2 tabular-nums">
          {selected.length > 0
            ? `${formatCount(selected.length, 'label')} selected`
            : 'Arrows move, Space selects'}
        </p>
        <Button onClick={selectAll}>
          {isAll ? 'Select none' : 'Select all'} <Kbd keys="Ctrl A" />
        </Button>
        <Button disabled={!!closed || meant.length === 0} onClick={() => setAsked(true)}>
          Reject <Kbd keys="R" />
        </Button>
        <Button
          variant="primary"
          disabled={!!closed || meant.length === 0}
          onClick={() => act({ verdict: 'accepted' })}
        >
          Accept {selected.length > 1 ? selected.length : ''} <Kbd keys="A" className="opacity-80" />
        </Button>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto bg-canvas p-3">
        <div
          ref={grid}
          role="listbox"
          aria-label="Labels"
          aria-multiselectable
          aria-activedescendant={current ? `tile-${current.labelId}` : undefined}
          tabIndex={0}
          className="grid grid-cols-[repeat(auto-fill,minmax(9.5rem,1fr))] gap-2"
        >
          {rows.map((row, place) => (
            <GridTile
              names={names}
              key={row.labelId}
              row={row}
              place={place}
              isCurrent={place === index}
              isSelected={chosen.has(row.labelId)}
              mark={verdicts.marks[row.labelId]}
              onClick={() => {
                goTo(place);
                toggle(row.labelId);
              }}
              onDoubleClick={() => onOpen(place)}
            />
          ))}
        </div>
        {queue.hasMore() && (
          <Button className="mt-3" onClick={() => void queue.more()}>
            Load more
          </Button>
        )}
      </div>
      <ReasonDialog
        asked={isAsked ? 'rejected' : undefined}
        count={meant.length}
        onCancel={() => setAsked(false)}
        onReason={(reason) => {
          act({ verdict: 'rejected', reason });
          setAsked(false);
        }}
      />
    </>
  );
}

type GridTileProps = {
  row: QueueRow;
  /** Of classes, attributes and parts, by their ids. */
  names: Readonly<Record<string, string>>;
  place: number;
  isCurrent: boolean;
  isSelected: boolean;
  mark: Mark | undefined;
  onClick: () => void;
  onDoubleClick: () => void;
};

/** One label of the grid: its mask close up, what it is, and how likely it is wrong. */
function GridTile({ row, names, place, isCurrent, isSelected, mark, onClick, onDoubleClick }: GridTileProps) {
  const nameOf = (id: string) => names[id] ?? id;
  const what = nameOf(row.target || row.className || 'object');
  const warned = row.warnings.map((id) => warningOf(id)?.title ?? id);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box above has the keys of all its options.
    <div
      id={`tile-${row.labelId}`}
      data-place={place}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      title={warned.join(', ') || undefined}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      className={cn(
        'relative cursor-default overflow-hidden rounded-md border border-line bg-surface select-none',
        isCurrent && 'outline-2 outline-offset-1 outline-accent',
        isSelected && 'border-accent bg-accent-soft',
      )}
    >
      <div className={cn(mark && 'opacity-40')}>
        <Crop row={row} />
      </div>
      {row.disagreement !== null && (
        <span className="absolute top-1 left-1 rounded-sm bg-surface px-1 text-2xs text-ink-2 tabular-nums">
          <span className="sr-only">how far the </span>model
          <span className="sr-only"> is from the label</span> {formatPercent(row.disagreement, 0)}
        </span>
      )}
      <p className="flex items-center justify-between gap-2 px-1.5 py-1 text-xs">
        <span className="truncate">
          {row.chosen.length > 0 ? row.chosen.map(nameOf).join(', ') : what}
          {row.instances !== null && ` × ${row.instances}`}
        </span>
        <span className={cn('shrink-0 tabular-nums', warned.length > 0 ? 'text-warn' : 'text-ink-3')}>
          {warned.length > 0 && <span aria-hidden>△ </span>}
          {row.risk === null ? (
            'not audited'
          ) : (
            <>
              <span className="sr-only">expected error </span>
              {formatPercent(row.risk, 0)}
            </>
          )}
        </span>
      </p>
      {(isSelected || mark) && (
        <span
          aria-hidden
          className={cn(
            'absolute top-1 right-1 rounded-full p-0.5 text-on-fill',
            mark?.verdict === 'rejected' || mark?.state === 'failed' ? 'bg-bad-fill' : 'bg-accent-fill',
          )}
        >
          {mark?.verdict === 'rejected' || mark?.state === 'failed' ? (
            <X className="size-3.5" />
          ) : (
            <Check className="size-3.5" />
          )}
        </span>
      )}
    </div>
  );
}

/** Drawn once: tiles change their frame often and their picture never. */
const Crop = memo(function Crop({ row }: { row: QueueRow }) {
  const { width, height, mask } = row;
  const layers = useMemo(
    () =>
      layersOf({ mask, answers: [], image: { width, height } }, 'outline').map((layer) => ({
        ...layer,
        fill: 0,
      })),
    [mask, width, height],
  );
  const view = useMemo(() => closeUp(mask, width, height), [mask, width, height]);
  return (
    <LabelPicture
      url={row.pictureUrl}
      alt=""
      width={width}
      height={height}
      view={view}
      layers={layers}
      className="aspect-square w-full bg-stage"
    />
  );
});
