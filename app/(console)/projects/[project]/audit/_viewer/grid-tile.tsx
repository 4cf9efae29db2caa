import { Check, X } from 'lucide-react';
import { memo, useMemo } from 'react';
import { cn } from '@/app/_ui/cn';
import { formatPercent } from '@/lib/core/format';
import { warningOf } from '@/lib/core/quality/warnings';
import type { QueueRow } from './audit-api';
import { LabelPicture } from './label-picture';
import { closeUp, layersOf } from './layers';
import type { Mark } from './use-verdicts';

type Props = {
  row: QueueRow;
  /** Of classes, attributes and parts, by their ids. */
  names: Readonly<Record<string, string>>;
  place: number;
  isCurrent: boolean;
  isSelected: boolean;
  mark: Mark | undefined;
  onClick: () => void;
  onDoubleClick: () => void;
};

/** One label of the grid: its mask close up, what it is, and how likely it is wrong. */
export function GridTile({ row, names, place, isCurrent, isSelected, mark, onClick, onDoubleClick }: Props) {
  const nameOf = (id: string) => names[id] ?? id;
  const what = nameOf(row.target || row.className || 'object');
  const warned = row.warnings.map((id) => warningOf(id)?.title ?? id);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box above has the keys of all its options.
    <div
      id={`tile-${row.labelId}`}
      data-place={place}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      title={warned.join(', ') || undefined}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      className={cn(
        'relative cursor-default overflow-hidden rounded-md border border-line bg-surface select-none',
        isCurrent && 'outline-2 outline-offset-1 outline-accent',
        isSelected && 'border-accent bg-accent-soft',
      )}
    >
      <div className={cn(mark && 'opacity-40')}>
        <Crop row={row} />
      </div>
      {row.disagreement !== null && (
        <span className="absolute top-1 left-1 rounded-sm bg-surface px-1 text-2xs text-ink-2 tabular-nums">
          <span className="sr-only">how far the </span>model
          <span className="sr-only"> is from the label</span> {formatPercent(row.disagreement, 0)}
        </span>
      )}
      <p className="flex items-center justify-between gap-2 px-1.5 py-1 text-xs">
        <span className="truncate">{row.chosen.length > 0 ? row.chosen.map(nameOf).join(', ') : what}</span>
        <span className={cn('shrink-0 tabular-nums', warned.length > 0 ? 'text-warn' : 'text-ink-3')}>
          {warned.length > 0 && <span aria-hidden>△ </span>}
          <span className="sr-only">expected error </span>
          {formatPercent(row.risk, 0)}
        </span>
      </p>
      {(isSelected || mark) && (
        <span
          aria-hidden
          className={cn(
            'absolute top-1 right-1 rounded-full p-0.5 text-on-fill',
            mark?.verdict === 'rejected' || mark?.state === 'failed' ? 'bg-bad-fill' : 'bg-accent-fill',
          )}
        >
          {mark?.verdict === 'rejected' || mark?.state === 'failed' ? (
            <X className="size-3.5" />
          ) : (
            <Check className="size-3.5" />
          )}
        </span>
      )}
    </div>
  );
}

/** Drawn once: tiles change their frame often and their picture never. */
const Crop = memo(function Crop({ row }: { row: QueueRow }) {
  const { width, height, mask } = row;
  const layers = useMemo(
    () =>
      layersOf({ mask, answers: [], image: { width, height } }, 'outline').map((layer) => ({
        ...layer,
        fill: 0,
      })),
    [mask, width, height],
  );
  const view = useMemo(() => closeUp(mask, width, height), [mask, width, height]);
  return (
    <LabelPicture
      url={row.pictureUrl}
      alt=""
      width={width}
      height={height}
      view={view}
      layers={layers}
      className="aspect-square w-full bg-stage"
    />
  );
});
