import { getTranslations } from 'next-intl/server';
import { Enlargeable } from '@/app/_ui/enlargeable';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import { decodeCounts, outlinePath } from '@/lib/core/mask';
import type { GuideExample } from '@/lib/services/crowd/guide-examples';

type Props = { name: string; colour: string; examples: readonly GuideExample[] };

/** Pictures that have it, with what is drawn outlined. A click enlarges them. */
export async function ExamplePictures({ name, colour, examples }: Props) {
  if (examples.length === 0) return null;
  const t = await getTranslations('guide');
  return (
    <div className="flex gap-2">
      {examples.map(({ imageId, className, url, width, height, mask }) => {
        const title = [t('exampleOf', { name }), className].filter(Boolean).join(', ');
        const outlines = mask
          ? [{ id: imageId, colour, path: outlinePath(decodeCounts(mask, height, width)) }]
          : [];
        const picture = { url, width, height, outlines };
        return (
          <Enlargeable
            key={imageId}
            title={title}
            large={
              <OutlinedPicture
                {...picture}
                alt={title}
                className="max-h-[70dvh] w-full rounded-md bg-stage"
              />
            }
          >
            <OutlinedPicture {...picture} alt="" className="size-28 rounded-md bg-stage" />
          </Enlargeable>
        );
      })}
    </div>
  );
}
