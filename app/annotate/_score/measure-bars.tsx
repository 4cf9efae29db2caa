import { cn } from '@/app/_ui/cn';
import type { Measure } from '@/lib/crowd/worker';
import { formatPercent } from '@/lib/format';

export const measureWords: Record<Measure['name'], { title: string; meaning: string }> = {
  precision: { title: 'Precision', meaning: 'how much of what you marked is right' },
  recall: { title: 'Recall', meaning: 'how much of what is there you marked' },
  iou: { title: 'Overlap', meaning: 'how well your outline covers the known one (IoU)' },
};

/** Scores on a scale from 0 to 100 %, each with the bar it is held against. */
export function MeasureBars({ measures }: { measures: readonly Measure[] }) {
  return (
    <ul className="flex flex-col gap-4">
      {measures.map((measure) => (
        <MeasureBar key={measure.name} {...measure} />
      ))}
    </ul>
  );
}

function MeasureBar({ name, value, bar }: Measure) {
  const { title, meaning } = measureWords[name];
  const isReached = value !== null && value >= bar;
  return (
    <li className="flex flex-col gap-1.5">
      <p className="flex items-baseline justify-between gap-4">
        <span>
          <span className="font-medium">{title}</span> <span className="text-sm text-ink-3">{meaning}</span>
        </span>
        <span className="whitespace-nowrap tabular-nums">
          <span className="font-semibold">{formatPercent(value, 0)}</span>{' '}
          <span className="text-sm text-ink-2">
            {value !== null && (isReached ? 'at or above' : 'below')} the bar of {formatPercent(bar, 0)}
          </span>
        </span>
      </p>
      <div aria-hidden className="relative h-2 rounded-full bg-hover">
        <div
          className={cn('h-full rounded-full', isReached ? 'bg-good' : 'bg-warn')}
          style={{ width: `${100 * (value ?? 0)}%` }}
        />
        <div className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `${100 * bar}%` }} />
      </div>
    </li>
  );
}
