import { getTranslations } from 'next-intl/server';
import { getWorkerFormat } from '@/app/_i18n/request';
import { cn } from '@/app/_ui/cn';
import { noValue } from '@/lib/core/format';
import type { Measure } from '@/lib/services/crowd/worker';

/** Scores on a scale from 0 to 100 %, each with what is needed to pass. */
export function MeasureBars({ measures }: { measures: readonly Measure[] }) {
  return (
    <ul className="flex flex-col gap-4">
      {measures.map((measure) => (
        <MeasureBar key={measure.name} {...measure} />
      ))}
    </ul>
  );
}

async function MeasureBar({ name, value, bar }: Measure) {
  const t = await getTranslations('exam');
  const format = await getWorkerFormat();
  const isReached = value !== null && value >= bar;
  const needed = { share: format.percent(bar) };
  return (
    <li className="flex flex-col gap-1.5">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>
          <span className="font-medium">{t(name)}</span>{' '}
          <span className="text-sm text-ink-3">{t(`${name}Meaning`)}</span>
        </span>
        <span className="tabular-nums">
          <span className="font-semibold">{value === null ? noValue : format.percent(value)}</span>{' '}
          <span className="text-sm text-ink-2">{isReached ? t('reached', needed) : t('missed', needed)}</span>
        </span>
      </p>
      <div aria-hidden className="relative h-2 rounded-full bg-hover">
        <div
          className={cn('h-full rounded-full', isReached ? 'bg-good' : 'bg-warn')}
          style={{ width: `${100 * (value ?? 0)}%` }}
        />
        <div className="absolute -inset-y-1 w-0.5 bg-ink" style={{ insetInlineStart: `${100 * bar}%` }} />
      </div>
    </li>
  );
}
