import { getTranslations } from 'next-intl/server';
import { inLanguage } from '@/app/_i18n/project-texts';
import { cn } from '@/app/_ui/cn';
import { Enlargeable } from '@/app/_ui/enlargeable';
import { State } from '@/app/_ui/state';
import type { TranslatedGuide, TranslatedPart } from '@/lib/services/crowd/translations';

type Props = { examples: TranslatedPart['examples']; pictures: TranslatedGuide['pictures'] };

/** Examples that a curator chose: what is right about them, or why they are not. */
export async function WrittenExamples({ examples, pictures }: Props) {
  const t = await getTranslations('guide');
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4">
      {examples.map((example, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a list of a saved text never changes.
        <li key={index}>
          <figure className="flex flex-col gap-1.5">
            <Enlargeable
              title={example.caption || t('example')}
              large={
                <Picture
                  url={pictures[example.picture]}
                  alt={example.caption || t('example')}
                  className="max-h-[70dvh]"
                />
              }
            >
              <Picture url={pictures[example.picture]} alt="" className="max-h-60" />
            </Enlargeable>
            <figcaption className="text-sm">
              <State state={example.verdict} tone={example.verdict === 'good' ? 'good' : 'bad'}>
                {example.verdict === 'good' ? t('good') : t('notGood')}
              </State>
              {example.caption && <p {...inLanguage(example.language)}>{example.caption}</p>}
              {example.note && (
                <p {...inLanguage(example.language)} className="text-ink-2">
                  {example.note}
                </p>
              )}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}

function Picture({ url, alt, className }: { url: string | undefined; alt: string; className: string }) {
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
