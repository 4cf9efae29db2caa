import Link from 'next/link';
import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { EmptyState } from '@/app/_ui/empty-state';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { Names } from '@/lib/services/crowd/translations';
import type { WorkerBatch } from '@/lib/services/crowd/worker';

const tones: Record<WorkerBatch['state'], Tone> = {
  leased: 'busy',
  submitted: 'good',
  expired: 'warn',
  returned: 'neutral',
};

interface BatchListProps {
  batches: readonly WorkerBatch[];
  /** In the language of the reader. */
  names: Names;
  label: string;
}

/** Batches, however they ended: when, what, how far, how long and what they earned. */
export async function BatchList({ batches, names, label }: BatchListProps) {
  const t = await getTranslations('history');
  const done = await getTranslations('done');
  const format = await getWorkerFormat();
  if (batches.length === 0) return <EmptyState title={t('none')}>{t('noneText')}</EmptyState>;
  const payOf = ({ kind, state, earned, review }: WorkerBatch): string => {
    if (earned) return format.money(earned.amountMicro, earned.currency);
    if (review?.state === 'open') return t('inReview');
    return kind === 'practice' || state === 'leased' ? '' : t('unpaid');
  };
  /** Why the pay waits or was refused. */
  const reasonOf = ({ review }: WorkerBatch): string | null => {
    if (!review || review.state === 'approved') return null;
    return review.state === 'open'
      ? done('review', { reason: review.reason })
      : done('refused', { reason: review.note });
  };
  return (
    <section aria-label={label}>
      <ul className="divide-y divide-line">
        {batches.map((batch) => (
          <li key={batch.id} className="relative flex flex-col gap-0.5 px-4 py-2.5 hover:bg-hover/60">
            <p className="flex items-baseline justify-between gap-4">
              <Link
                href={`/annotate/batch/${batch.id}${batch.state === 'leased' ? '' : '/done'}`}
                className="min-w-0 font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
              >
                {names.stage(batch.projectId, batch.stageId, batch.stage)} · {t('kind', { kind: batch.kind })}
              </Link>
              <span className="font-medium whitespace-nowrap tabular-nums">{payOf(batch)}</span>
            </p>
            <p className="flex flex-wrap items-baseline gap-x-4 text-sm text-ink-2">
              <State state={batch.state} tone={tones[batch.state]}>
                {t('state', { state: batch.state })}
              </State>
              <span>
                {batch.state === 'leased'
                  ? t('until', { date: format.dateTime(batch.endedAt) })
                  : format.dateTime(batch.endedAt)}
              </span>
              <span>{t('items', { answered: batch.answered, count: batch.size })}</span>
              {batch.activeMs > 0 && <span>{format.duration(batch.activeMs)}</span>}
            </p>
            {reasonOf(batch) && <p className="text-sm">{reasonOf(batch)}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
