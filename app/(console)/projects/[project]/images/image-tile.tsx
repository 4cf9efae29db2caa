import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { OutlinePaths } from '@/app/_ui/outlined-picture';
import { Thumbnail } from '@/app/_ui/thumbnail';
import type { GridImage } from './image-pages';
import { PickBox } from './pick-box';
import { PLACE } from './use-grid-keys';
import type { Outlined } from './use-outlines';

/** Pixels: the least width of a tile by its size, its two lines of text, and the space between tiles. */
export const tileWidths = { small: 104, medium: 148, large: 236 };
export const CAPTION = 40;
export const GAP = 12;

type Props = {
  index: number;
  /** Undefined while it is on its way: its place is held, so that nothing moves when it comes. */
  image: GridImage | undefined;
  href: string;
  side: number;
  outlined: Outlined | null | undefined;
  isSelected: boolean;
  onPick: (index: number, isRange: boolean) => void;
};

export function ImageTile({ index, image, href, side, outlined, isSelected, onPick }: Props) {
  if (!image) {
    return (
      <li className="min-w-0" style={{ height: side + CAPTION }}>
        <span className="block rounded-md bg-sunken" style={{ height: side }} />
      </li>
    );
  }
  const { thumbnail } = image;
  return (
    <li className="group relative min-w-0" style={{ height: side + CAPTION }}>
      <Link
        href={href}
        prefetch={false}
        tabIndex={-1}
        {...{ [PLACE]: index }}
        className={cn(
          'block rounded-md outline-offset-2',
          isSelected && 'ring-2 ring-accent ring-offset-2 ring-offset-canvas',
        )}
      >
        <span
          className={cn('relative block', image.state === 'excluded' && 'opacity-45')}
          style={{ height: side }}
        >
          <Thumbnail
            src={thumbnail?.url}
            alt={image.name}
            width={thumbnail?.width ?? image.width}
            height={thumbnail?.height ?? image.height}
            className="size-full"
          />
          {outlined && <Outlines outlined={outlined} />}
        </span>
        <span className="mt-1 block truncate text-xs group-hover:text-accent" title={image.name}>
          {image.name}
        </span>
        <span className="block truncate text-2xs text-ink-3">
          {image.className ?? 'no class'} · {image.width}×{image.height}
          {image.state !== 'active' && ` · ${image.state}`}
        </span>
      </Link>
      <PickBox index={index} name={image.name} isSelected={isSelected} onPick={onPick} />
    </li>
  );
}

/** Laid over the thumbnail, which shows the whole picture in a square. */
function Outlines({ outlined }: { outlined: Outlined }) {
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${outlined.width} ${outlined.height}`}
      className="pointer-events-none absolute inset-0 size-full"
    >
      <OutlinePaths outlines={outlined.outlines} fillOpacity={0.22} strokeWidth={1.25} />
    </svg>
  );
}
