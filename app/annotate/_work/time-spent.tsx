'use client';

import { useTranslations } from 'next-intl';
import type { ActivityTimer } from './activity-timer';
import { useClock } from './use-clock';

/** Time spent on this item, without pauses, as minutes and seconds. */
export function TimeSpent({ timer }: { timer: ActivityTimer }) {
  const t = useTranslations('work');
  useClock();
  const seconds = Math.floor(timer.spent(performance.now()) / 1000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <time dateTime={`PT${seconds}S`} title={t('timeSpent')} dir="ltr" className="tabular-nums">
      {text}
    </time>
  );
}
