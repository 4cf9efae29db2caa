import { useTranslations } from 'next-intl';
import { cn } from '@/app/_ui/cn';
import { Enlargeable } from '@/app/_ui/enlargeable';
import { Thumbnail } from '@/app/_ui/thumbnail';

export type Example = { readonly url: string; readonly alt: string; readonly note: string };

type Props = {
  name: string;
  definition: string;
  examples: readonly Example[];
  /** Some option of the form has examples: their place is kept. */
  hasPictures: boolean;
};

/** What the option in question means. The panel has its size whatever it says, so that nothing moves. */
export function DefinitionPanel({ name, definition, examples, hasPictures }: Props) {
  const t = useTranslations('form');
  return (
    <section
      aria-label={t('definition')}
      className={cn(
        'flex shrink-0 gap-3 overflow-y-auto rounded-lg border border-line bg-surface p-3',
        'max-lg:hidden',
        hasPictures ? 'h-26' : 'h-20',
      )}
    >
      <div dir="auto" className="min-w-0 flex-1">
        <h3 className="font-semibold">{name}</h3>
        <p className="text-sm text-ink-2">{definition}</p>
      </div>
      {examples.map((example) => (
        <figure key={example.url} className="flex w-24 shrink-0 flex-col gap-1">
          <Enlargeable
            title={example.alt}
            large={
              // biome-ignore lint/performance/noImgElement: a stored picture, already sized.
              <img src={example.url} alt={example.alt} className="max-h-[70dvh] w-full object-contain" />
            }
          >
            <Thumbnail src={example.url} alt="" width={96} height={64} className="aspect-3/2" />
          </Enlargeable>
          <figcaption dir="auto" className="text-2xs text-ink-3">
            {example.note}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}
