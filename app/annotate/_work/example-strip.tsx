'use client';

import { useTranslations } from 'next-intl';
import { type ComponentProps, useMemo } from 'react';
import { Enlargeable } from '@/app/_ui/enlargeable';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import { decodeCounts, outlinePath } from '@/lib/core/mask';
import type { GuideExample } from '@/lib/services/crowd/guide-examples';

interface ExampleStripProps {
  name: string;
  colour: string;
  examples: readonly GuideExample[];
}

type ExamplePictureProps = Pick<
  ComponentProps<typeof OutlinedPicture>,
  'url' | 'width' | 'height' | 'outlines'
> & {
  title: string;
};

function ExamplePicture({ title, ...picture }: ExamplePictureProps) {
  return (
    <Enlargeable
      title={title}
      large={
        <OutlinedPicture {...picture} alt={title} className="max-h-[70dvh] w-full rounded-md bg-stage" />
      }
    >
      <OutlinedPicture {...picture} alt="" className="size-28 rounded-md bg-stage" />
    </Enlargeable>
  );
}

/** What others drew for this label on other pictures. */
export function ExampleStrip({ name, colour, examples }: ExampleStripProps) {
  const t = useTranslations('work.examples');
  const outlined = useMemo(
    () =>
      examples.map(({ imageId, mask, width, height, ...rest }) => ({
        ...rest,
        imageId,
        width,
        height,
        outlines: mask ? [{ id: imageId, colour, path: outlinePath(decodeCounts(mask, height, width)) }] : [],
      })),
    [examples, colour],
  );
  return (
    <div className="flex gap-2">
      {outlined.map(({ imageId, className, url, width, height, outlines }) => (
        <ExamplePicture
          key={imageId}
          title={className ? t('ofClass', { name, className }) : t('of', { name })}
          {...{ url, width, height, outlines }}
        />
      ))}
    </div>
  );
}
