import { getTranslations } from 'next-intl/server';
import { State } from '@/app/_ui/state';
import type { GuideExample, StageGuide } from '@/lib/services/crowd/guide';

type Props = { examples: readonly GuideExample[]; pictures: StageGuide['pictures'] };

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
            <figcaption dir="auto" className="text-sm">
              <State state={example.verdict} tone={example.verdict === 'good' ? 'good' : 'bad'}>
                {example.verdict === 'good' ? t('good') : t('notGood')}
              </State>
              {example.caption && <p>{example.caption}</p>}
              {example.note && <p className="text-ink-2">{example.note}</p>}
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  );
}
