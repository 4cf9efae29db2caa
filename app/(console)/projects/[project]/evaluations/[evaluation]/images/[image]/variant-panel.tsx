import { cn } from '@/app/_ui/cn';
import { formatPercent } from '@/lib/core/format';
import type { SeenVariant, VariantCell } from '@/lib/services/evaluations/variant-pictures';

interface Props {
  seen: SeenVariant;
  api: string;
  name: string;
}

/** The picture in every setting of a variant, with what the model said. */
export function VariantPanel({ seen: { id, says, cells, refusal }, api, name }: Props) {
  return (
    <div className="grid content-start gap-3">
      <p className="text-ink-2">{says}</p>
      {refusal && <p className="text-xs text-warn">{refusal}</p>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
        {cells.map((cell) => (
          <li key={cell.at} className="min-w-0 text-xs">
            <span className="flex aspect-square items-center justify-center overflow-hidden rounded-md bg-stage text-center text-ink-3">
              {cell.reason || refusal ? (
                <span className="p-2">{cell.reason ?? 'not made again'}</span>
              ) : (
                // biome-ignore lint/performance/noImgElement: a small picture of our own, made for this page.
                <img
                  src={`${api}?variant=${encodeURIComponent(id)}&at=${cell.at}`}
                  alt={`${name}, ${id}, ${cell.level}`}
                  loading="lazy"
                  className="size-full object-contain"
                />
              )}
            </span>
            {cells.length > 1 && <span className="mt-1 block truncate">{cell.level}</span>}
            <Said cell={cell} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Said({ cell: { reason, predicted, isRight, pTrue } }: { cell: VariantCell }) {
  if (reason !== null) return null;
  if (predicted === null)
    return <span className="block text-ink-3">what the model said is no longer kept</span>;
  return (
    <>
      <span className={cn('block truncate', isRight ? 'text-ink-3' : 'text-bad')}>
        {isRight ? 'right' : `taken for ${predicted}`}
      </span>
      <span className="block text-ink-3 tabular-nums">p {formatPercent(pTrue)}</span>
    </>
  );
}
