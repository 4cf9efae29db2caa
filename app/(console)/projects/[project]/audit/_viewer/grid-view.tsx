'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';
import { formatCount } from '@/lib/core/format';
import { GridTile } from './grid-tile';
import { ReasonDialog } from './reason-dialog';
import { useAuditKeys } from './use-audit-keys';
import type { useQueue } from './use-queue';
import type { Verdicts } from './use-verdicts';

type Props = {
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
export function GridView({ names, queue, verdicts, closed, isOn, onOpen, onLeave, onUndo, onKeys }: Props) {
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
