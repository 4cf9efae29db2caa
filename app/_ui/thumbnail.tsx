import { ImageOff } from 'lucide-react';
import { cn } from './cn';

interface ThumbnailProps {
  /** Missing while the derivative is still being made. */
  src?: string;
  alt: string;
  width: number;
  height: number;
  /** Fills the box and loses the edges; without it the whole picture shows on a neutral ground. */
  cover?: boolean;
  className?: string;
}

export function Thumbnail({ src, alt, width, height, cover, className }: ThumbnailProps) {
  return (
    <span
      className={cn(
        'flex aspect-square items-center justify-center overflow-hidden rounded-md bg-stage',
        className,
      )}
    >
      {src ? (
        // biome-ignore lint/performance/noImgElement: our own derivatives are already sized and cached.
        <img
          src={src}
          alt={alt}
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className={cn('size-full', cover ? 'object-cover' : 'object-contain')}
        />
      ) : (
        <span className="flex flex-col items-center gap-1 text-2xs text-ink-2">
          <ImageOff aria-hidden className="size-4" />
          no preview yet
          <span className="sr-only">of {alt}</span>
        </span>
      )}
    </span>
  );
}
