'use client';

import { useMemo } from 'react';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import type { GuideExample } from '@/lib/crowd/guide-examples';
import { decodeCounts, outlinePath } from '@/lib/mask';

interface ExampleStripProps {
  name: string;
  colour: string;
  examples: readonly GuideExample[];
}

/** What others drew for this label on other pictures. */
export function ExampleStrip({ name, colour, examples }: ExampleStripProps) {
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
        <OutlinedPicture
          key={imageId}
          url={url}
          alt={`${name}: example${className ? `, ${className}` : ''}`}
          width={width}
          height={height}
          outlines={outlines}
          className="size-28 rounded-md bg-stage"
        />
      ))}
    </div>
  );
}
