'use client';

import { Check, CircleDot, Flag, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cn } from '@/app/_ui/cn';
import { type BatchState, type ItemStatus, itemStatus } from '@/lib/annotator';
import type { WorkItem } from './api';

const names: Readonly<Record<ItemStatus, string>> = {
  empty: 'not started',
  started: 'started',
  done: 'done',
  answered: 'answered',
  released: 'reported',
};

const icons: Readonly<Record<ItemStatus, LucideIcon | undefined>> = {
  empty: undefined,
  started: CircleDot,
  done: Check,
  answered: Check,
  released: Flag,
};

interface FilmstripProps {
  items: readonly WorkItem[];
  work: BatchState;
  index: number;
  onOpen: (index: number) => void;
}

/** All items of the batch with their state. The current one is always in sight. */
export function Filmstrip({ items, work, index, onOpen }: FilmstripProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [index]);
  return (
    <nav aria-label="All items" className="shrink-0 border-t border-line bg-surface">
      <ol ref={list} className="flex gap-1.5 overflow-x-auto px-2 py-1.5">
        {items.map((item, place) => (
          <li key={item.leaseId} className="shrink-0">
            <Tile
              number={place + 1}
              url={item.image.working.url}
              status={itemStatus(work, item.leaseId)}
              isCurrent={place === index}
              onOpen={() => onOpen(place)}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface TileProps {
  number: number;
  url: string;
  status: ItemStatus;
  isCurrent: boolean;
  onOpen: () => void;
}

function Tile({ number, url, status, isCurrent, onOpen }: TileProps) {
  const Icon = icons[status];
  const isDone = status === 'done' || status === 'answered';
  return (
    <button
      type="button"
      aria-label={`Item ${number}, ${names[status]}`}
      aria-current={isCurrent ? 'step' : undefined}
      data-status={status}
      onClick={onOpen}
      className={cn(
        'relative block h-11 w-14 overflow-hidden rounded-md border bg-stage',
        isCurrent ? 'border-accent outline-2 outline-accent' : 'border-line hover:border-line-strong',
      )}
    >
      {/* biome-ignore lint/performance/noImgElement: a private link that must not be optimised by a server */}
      <img
        src={url}
        alt=""
        loading="lazy"
        decoding="async"
        fetchPriority="low"
        className={cn('size-full object-cover', isDone && 'opacity-50')}
      />
      <span className="absolute bottom-0 left-0 rounded-tr-md bg-surface px-1 text-2xs text-ink tabular-nums">
        {number}
      </span>
      {Icon && (
        <span
          className={cn(
            'absolute top-0 right-0 flex size-4 items-center justify-center rounded-bl-md',
            isDone ? 'bg-accent-fill text-on-fill' : 'bg-surface text-ink-2',
          )}
        >
          <Icon aria-hidden className="size-3" />
        </span>
      )}
    </button>
  );
}
