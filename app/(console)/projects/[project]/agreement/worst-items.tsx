import Link from 'next/link';
import type { ReactNode } from 'react';
import { OutlinedPicture } from '@/app/_ui/outlined-picture';
import { Thumbnail } from '@/app/_ui/thumbnail';
import { seriesStyle } from '@/lib/core/charts';
import { formatNumber } from '@/lib/core/format';
import { boundingBox, type Mask, outlinePath } from '@/lib/core/mask';
import type { Picture, StageAgreement } from '@/lib/services/curation/agreement/stage-agreement';

interface Props {
  agreement: StageAgreement;
  pictures: ReadonlyMap<string, Picture>;
  path: string;
  nameOf: (target: string) => string;
}

/** The items on which people are furthest apart, as pictures: where many drew, the tints add up. */
export function WorstItems({ agreement, pictures, path, nameOf }: Props) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-4">
      {agreement.kind === 'forms'
        ? agreement.worst.map(({ item, disputes }) => {
            const picture = pictures.get(item.imageId);
            return (
              <Tile key={item.id} href={`${path}/images/${item.imageId}`} name={picture?.name ?? ''}>
                <Thumbnail
                  src={picture?.url}
                  alt={picture?.name ?? ''}
                  width={item.width}
                  height={item.height}
                />
                <span className="flex flex-col text-xs text-ink-2">
                  {disputes.slice(0, 4).map(({ target, yes, of }) => (
                    <span key={target} className="flex justify-between gap-2 tabular-nums">
                      <span className="truncate">{nameOf(target)}</span>
                      <span className="shrink-0">
                        {yes} of {of}
                      </span>
                    </span>
                  ))}
                  {disputes.length > 4 && <span>and {disputes.length - 4} more</span>}
                </span>
              </Tile>
            );
          })
        : agreement.worst.map(({ item, drawings, iou }) => {
            const picture = pictures.get(item.imageId);
            const drawn = drawings.filter(({ mask }) => mask).length;
            return (
              <Tile key={item.id} href={`${path}/images/${item.imageId}`} name={picture?.name ?? ''}>
                <span className="flex aspect-square items-center justify-center overflow-hidden rounded-md bg-stage">
                  <OutlinedPicture
                    url={picture?.url ?? ''}
                    alt={`${picture?.name ?? ''}: ${drawn} drawings of ${nameOf(item.target)}`}
                    width={item.width}
                    height={item.height}
                    className="block size-full"
                    view={around(item, drawings)}
                    outlines={drawings.flatMap(({ answerId, mask }, n) =>
                      mask
                        ? [{ id: answerId, colour: seriesStyle(n % 6).colour, path: outlinePath(mask) }]
                        : [],
                    )}
                  />
                </span>
                <span className="flex flex-col text-xs text-ink-2 tabular-nums">
                  <span className="truncate">{nameOf(item.target)}</span>
                  <span>
                    {drawn} of {drawings.length} drew{iou === null ? '' : `, IoU ${formatNumber(iou, 2)}`}
                  </span>
                </span>
              </Tile>
            );
          })}
    </ul>
  );
}

/** The square around all drawings with as much room on every side, so that a small part can be seen. */
function around(
  { width, height }: { width: number; height: number },
  drawings: readonly { mask: Mask | null }[],
): [number, number, number, number] | undefined {
  const boxes = drawings.flatMap(({ mask }) => (mask ? [boundingBox(mask)] : []));
  if (boxes.length === 0) return undefined;
  const left = Math.min(...boxes.map(([x]) => x));
  const top = Math.min(...boxes.map(([, y]) => y));
  const right = Math.max(...boxes.map(([x, , w]) => x + w));
  const bottom = Math.max(...boxes.map(([, y, , h]) => y + h));
  const most = Math.max(width, height);
  const side = Math.min(most, Math.max(most / 5, 2 * Math.max(right - left, bottom - top)));
  const start = (middle: number, end: number) =>
    side >= end ? (end - side) / 2 : Math.min(Math.max(0, middle - side / 2), end - side);
  return [start((left + right) / 2, width), start((top + bottom) / 2, height), side, side];
}

function Tile({ href, name, children }: { href: string; name: string; children: ReactNode }) {
  return (
    <li>
      <Link href={href} title={name} className="flex flex-col gap-1.5 rounded-md hover:bg-hover">
        {children}
      </Link>
    </li>
  );
}
