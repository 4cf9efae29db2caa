'use client';

import { CloudCheck, CloudOff, CloudUpload, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { cn } from '@/app/_ui/cn';
import { type BatchState, batchTotals, type OutboxStatus, outboxStatus } from '@/lib/core/editor';

const icons: Readonly<Record<OutboxStatus['kind'], LucideIcon>> = {
  stored: CloudCheck,
  storing: CloudUpload,
  offline: CloudOff,
  'signed-out': TriangleAlert,
  conflict: TriangleAlert,
  refused: TriangleAlert,
};

/** The quiet indicator: "All 14 changes are stored". */
export function StoredState({ work }: { work: BatchState }) {
  const t = useTranslations('work.stored');
  const status = outboxStatus(batchTotals(work));
  const { kind, count } = status;
  const text =
    status.kind === 'refused' ? t('refused', { reason: status.reason }) : t(status.kind, { count });
  const Icon = icons[kind];
  const isBad = kind !== 'stored' && kind !== 'storing';
  return (
    <span
      data-stored={kind}
      className={cn('flex min-w-0 items-center gap-1.5', isBad ? 'text-warn' : 'text-ink-2')}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={cn('truncate', !isBad && 'max-wide:sr-only')}>{text}</span>
    </span>
  );
}
