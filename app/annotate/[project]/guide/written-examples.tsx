import { getTranslations } from 'next-intl/server';
import { inLanguage } from '@/app/_i18n/project-texts';
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
            {/* biome-ignore lint/performance/noImgElement: a stored picture, already sized. */}
            <img
              src={pictures[example.picture]}
              alt={example.caption || t('example')}
              loading="lazy"
              className="max-h-60 w-full rounded-md bg-stage object-contain"
            />
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
