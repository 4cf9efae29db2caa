import { useTranslations } from 'next-intl';
import { cn } from '@/app/_ui/cn';
import { Enlargeable } from '@/app/_ui/enlargeable';
import { State } from '@/app/_ui/state';
import type { WrittenExample } from './short-guide';

/** Examples that the curator chose, small, beside the work: what is right about them, or why they are not. */
export function ChosenExamples({ examples }: { examples: readonly WrittenExample[] }) {
  const t = useTranslations('work.examples');
  return (
    <ul className="flex flex-col gap-3">
      {examples.map(({ url, verdict, caption, note }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list of a saved text never changes.
        <li key={index} className="flex flex-col gap-1">
          <Enlargeable
            title={caption || t('one')}
            large={<Picture url={url} alt={caption || t('one')} className="max-h-[70dvh]" />}
          >
            <Picture url={url} alt="" className="max-h-40" />
          </Enlargeable>
          <p className="text-sm" dir="auto">
            <State state={verdict} tone={verdict === 'good' ? 'good' : 'bad'}>
              {verdict === 'good' ? t('good') : t('notGood')}
            </State>{' '}
            {caption}
          </p>
          {note && (
            <p className="text-sm text-ink-2" dir="auto">
              {note}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function Picture({ url, alt, className }: { url: string; alt: string; className: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: a stored picture, already sized.
    <img
      src={url}
      alt={alt}
      loading="lazy"
      className={cn('w-full rounded-md bg-stage object-contain', className)}
    />
  );
}
