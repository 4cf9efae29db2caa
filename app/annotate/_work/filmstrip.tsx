'use client';

import { Check, CircleDot, Flag, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import { cn } from '@/app/_ui/cn';
import { type BatchState, type ItemStatus, itemStatus } from '@/lib/core/editor';
import type { WorkItem } from './api';
import { isOpen, openItems, pictureOf, type WorkImage } from './work-image';

const icons: Readonly<Record<ItemStatus, LucideIcon | undefined>> = {
  empty: undefined,
  started: CircleDot,
  done: Check,
  answered: Check,
  released: Flag,
};

interface FilmstripProps {
  images: readonly WorkImage[];
  work: BatchState;
  current: WorkImage;
  onOpen: (item: WorkItem) => void;
}

/** All images of the batch with their state. The current one is always in sight. */
export function Filmstrip({ images, work, current, onOpen }: FilmstripProps) {
  const t = useTranslations('work.strip');
  const list = useRef<HTMLOListElement>(null);
  const index = images.indexOf(current);
  useEffect(() => {
    list.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [index]);
  const hasTargets = images.some(({ items }) => items.length > 1);
  return (
    <nav
      aria-label={hasTargets ? t('allImages') : t('allItems')}
      className="shrink-0 border-t border-line bg-surface [@media(max-height:600px)]:hidden"
    >
      <ol ref={list} className="flex gap-1.5 overflow-x-auto px-2 py-1.5">
        {images.map((image, place) => (
          <li key={image.key} className="shrink-0">
            <Tile
              image={image}
              number={place + 1}
              work={work}
              isImage={hasTargets}
              isCurrent={image === current}
              onOpen={() => onOpen(openItems(work, image)[0] ?? (image.items[0] as WorkItem))}
            />
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface TileProps {
  image: WorkImage;
  number: number;
  work: BatchState;
  /** Tiles stand for images with several targets each. */
  isImage: boolean;
  isCurrent: boolean;
  onOpen: () => void;
}

function Tile({ image, number, work, isImage, isCurrent, onOpen }: TileProps) {
  const t = useTranslations('work.strip');
  const statuses = image.items.map(({ leaseId }) => itemStatus(work, leaseId));
  const status = statusOf(statuses);
  const total = statuses.length;
  const doneCount = statuses.filter((each) => !isOpen(each)).length;
  const Icon = icons[status];
  const isDone = status === 'done' || status === 'answered';
  return (
    <button
      type="button"
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
        src={pictureOf(work, image).image.working.url}
        alt=""
        loading="lazy"
        decoding="async"
        fetchPriority="low"
        className={cn('size-full object-cover', isDone && 'opacity-50')}
      />
      <span className="sr-only">
        {isImage ? t('image', { number, done: doneCount, total }) : t('item', { number, status })}
      </span>
      <span
        aria-hidden
        className="absolute start-0 bottom-0 rounded-se-md bg-surface px-1 text-2xs text-ink tabular-nums"
      >
        {number}
      </span>
      {isImage && !isDone && (
        <span
          aria-hidden
          className="absolute end-0 bottom-0 rounded-ss-md bg-surface px-1 text-2xs text-ink tabular-nums"
        >
          {doneCount}/{total}
        </span>
      )}
      {Icon && (
        <span
          className={cn(
            'absolute end-0 top-0 flex size-4 items-center justify-center rounded-es-md',
            isDone ? 'bg-accent-fill text-on-fill' : 'bg-surface text-ink-2',
          )}
        >
          <Icon aria-hidden className="size-3" />
        </span>
      )}
    </button>
  );
}

/** Of an image: done when nothing is open any more, started when anything is. */
function statusOf(statuses: readonly ItemStatus[]): ItemStatus {
  if (statuses.every((status) => status === 'empty')) return 'empty';
  if (statuses.some(isOpen)) return 'started';
  if (statuses.every((status) => status === 'released')) return 'released';
  return statuses.some((status) => status === 'done') ? 'done' : 'answered';
}
