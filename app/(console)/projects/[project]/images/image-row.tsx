import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { State } from '@/app/_ui/state';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { formatNumber } from '@/lib/core/format';
import type { GridImage } from './image-pages';
import { PickBox } from './pick-box';
import { PLACE } from './use-grid-keys';

export const ROW_HEIGHT = 40;

const cells =
  'grid grid-cols-[1.5rem_2.25rem_minmax(10rem,3fr)_minmax(6rem,1fr)_minmax(5rem,1fr)_7rem_4.5rem_6rem] items-center gap-x-3';

/** The titles of the columns, above the scrolling list. */
export const RowHead = () => (
  <div aria-hidden className={cn(cells, 'border-b border-line pr-4 pb-1 text-xs font-medium text-ink-3')}>
    <span className="col-span-2" />
    <span>Name</span>
    <span>Class</span>
    <span>Group</span>
    <span className="text-right">Size, pixels</span>
    <span className="text-right">Labels</span>
    <span>State</span>
  </div>
);

type Props = {
  index: number;
  image: GridImage | undefined;
  href: string;
  isSelected: boolean;
  onPick: (index: number, isRange: boolean) => void;
};

export function ImageRow({ index, image, href, isSelected, onPick }: Props) {
  return (
    <li
      style={{ height: ROW_HEIGHT }}
      className={cn(cells, 'border-b border-line pr-1', isSelected ? 'bg-accent-soft' : 'hover:bg-hover/60')}
    >
      {image && (
        <>
          <PickBox index={index} name={image.name} isSelected={isSelected} onPick={onPick} inRow />
          <Thumbnail
            src={image.thumbnail?.url}
            alt=""
            width={image.thumbnail?.width ?? image.width}
            height={image.thumbnail?.height ?? image.height}
            className="size-9 rounded-sm"
          />
          <Link
            href={href}
            prefetch={false}
            tabIndex={-1}
            {...{ [PLACE]: index }}
            title={image.name}
            className="truncate rounded-sm hover:text-accent"
          >
            {image.name}
          </Link>
          <span className="truncate">{image.className ?? <span className="text-ink-3">no class</span>}</span>
          <span className="truncate text-ink-2">{image.groupKey ?? '–'}</span>
          <span className="text-right tabular-nums">
            {image.width} × {image.height}
          </span>
          <span className="text-right tabular-nums">{formatNumber(image.labels)}</span>
          <State state={image.state} />
        </>
      )}
    </li>
  );
}
