import { Check } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { cn } from '@/app/_ui/cn';
import type { Path } from './path';

/** The steps before paid work, with the next one marked by shape, weight and words. */
export async function PathSteps({ path: { steps, next } }: { path: Path }) {
  const t = await getTranslations('path');
  const at = steps.indexOf(next);
  return (
    <ol aria-label={t('label')} className="flex flex-wrap gap-x-2 gap-y-1.5 text-sm">
      {steps.map((step, index) => {
        const isDone = index < at;
        const isNext = index === at;
        return (
          <li
            key={step}
            aria-current={isNext ? 'step' : undefined}
            className={cn(
              'flex items-center gap-1.5 rounded-full border py-0.5 ps-1 pe-2.5',
              isNext ? 'border-accent bg-accent-soft font-medium text-accent' : 'border-line text-ink-2',
            )}
          >
            <span
              aria-hidden
              className={cn(
                'flex size-5 items-center justify-center rounded-full text-2xs font-semibold',
                isNext ? 'bg-accent-fill text-on-fill' : 'bg-hover',
              )}
            >
              {isDone ? <Check className="size-3" /> : index + 1}
            </span>
            {t(step)}
            {(isDone || isNext) && <span className="sr-only">({isDone ? t('done') : t('next')})</span>}
          </li>
        );
      })}
    </ol>
  );
}
