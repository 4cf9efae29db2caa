import { Check } from 'lucide-react';
import { cn } from '@/app/_ui/cn';

type Props = {
  index: number;
  name: string;
  isSelected: boolean;
  onPick: (index: number, isRange: boolean) => void;
  /** In a row of a table, where it is always seen. */
  inRow?: boolean;
};

/** The corner of a tile that selects it. By keyboard the space bar does the same, so that it is no stop of its own. */
export function PickBox({ index, name, isSelected, onPick, inRow }: Props) {
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      aria-label={`Select ${name}`}
      tabIndex={-1}
      onClick={(event) => onPick(index, event.shiftKey)}
      className={cn(
        'flex size-6 items-center justify-center',
        !inRow && 'absolute top-0.5 left-0.5 opacity-0 group-hover:opacity-100 focus:opacity-100',
        isSelected && 'opacity-100',
      )}
    >
      <span
        className={cn(
          'flex size-4 items-center justify-center rounded-sm border',
          isSelected ? 'border-accent-fill bg-accent-fill text-on-fill' : 'border-line-strong bg-raised',
        )}
      >
        {isSelected && <Check aria-hidden className="size-3" strokeWidth={3} />}
      </span>
    </button>
  );
}
