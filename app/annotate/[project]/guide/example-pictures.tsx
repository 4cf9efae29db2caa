import { getTranslations } from 'next-intl/server';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import { decodeCounts, outlinePath } from '@/lib/core/mask';
import type { GuideExample } from '@/lib/services/crowd/guide-examples';

type Props = { name: string; colour: string; examples: readonly GuideExample[] };

/** Pictures that have it, with what is drawn outlined. */
export async function ExamplePictures({ name, colour, examples }: Props) {
  if (examples.length === 0) return null;
  const t = await getTranslations('guide');
  return (
    <div className="flex gap-2">
      {examples.map(({ imageId, className, url, width, height, mask }) => (
        <OutlinedPicture
          key={imageId}
          url={url}
          alt={[t('exampleOf', { name }), className].filter(Boolean).join(', ')}
          width={width}
          height={height}
          outlines={
            mask ? [{ id: imageId, colour, path: outlinePath(decodeCounts(mask, height, width)) }] : []
          }
          className="size-28 rounded-md bg-stage"
        />
      ))}
    </div>
  );
}
