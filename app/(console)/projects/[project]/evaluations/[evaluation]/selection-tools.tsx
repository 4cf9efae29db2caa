'use client';

import { Frame, Layers, PencilLine, Send } from 'lucide-react';
import { useEffect, useState, useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { formatCount, formatNumber } from '@/lib/core/format';
import type { GalleryFilters } from '@/lib/services/evaluations/gallery';
import { AskDialog } from './ask-dialog';
import { NameDialog } from './name-dialog';
import { fixLabels, freezeSet, makeSlice, type Place, type Which } from './selection-actions';

interface Props {
  form: string;
  place: Place;
  filters: GalleryFilters;
  total: number;
  rights: { fix: boolean; ask: boolean; slice: boolean; freeze: boolean };
  stages: { value: string; label: string }[];
}

/** The boxes are the gallery's: here is only read which of them are ticked. */
function pickedIn(form: string): string[] {
  const boxes = document.querySelectorAll<HTMLInputElement>(
    `input[type=checkbox][name=image][form="${form}"]`,
  );
  return [...boxes].filter((box) => box.checked).map((box) => box.value);
}

export function SelectionTools({ form, place, filters, total, rights, stages }: Props) {
  const [picked, setPicked] = useState<string[]>([]);
  const [isAll, setAll] = useState(false);
  const [isFixing, startFixing] = useTransition();
  useEffect(() => {
    const read = () => setPicked(pickedIn(form));
    read();
    document.addEventListener('change', read);
    return () => document.removeEventListener('change', read);
  }, [form]);

  const count = isAll ? total : picked.length;
  const which: Which = { ...place, selection: isAll ? { filter: filters } : { images: picked } };
  const words = formatCount(count, 'image');
  const isNone = count === 0;
  return (
    <form
      id={form}
      aria-label="Selected images"
      onSubmit={(event) => event.preventDefault()}
      className="flex flex-wrap items-center gap-2"
    >
      <span role="status" className="min-w-28 tabular-nums">
        {isNone ? <span className="text-ink-3">No image selected</span> : `${words} selected`}
      </span>
      <label className="flex items-center gap-1.5 text-xs text-ink-2">
        <input
          type="checkbox"
          checked={isAll}
          onChange={(event) => setAll(event.target.checked)}
          className="accent-accent"
        />
        all {formatNumber(total)} that match
      </label>
      {rights.fix && (
        <Button
          size="small"
          icon={<PencilLine aria-hidden />}
          disabled={isNone}
          pending={isFixing}
          onClick={() =>
            startFixing(async () => {
              const state = await fixLabels(which);
              if (state?.error) toast.error(state.error);
            })
          }
        >
          Fix labels
        </Button>
      )}
      {rights.ask && (
        <AskDialog
          which={which}
          words={words}
          stages={stages}
          trigger={
            <Button size="small" icon={<Send aria-hidden />} disabled={isNone}>
              Send to annotators
            </Button>
          }
        />
      )}
      {rights.slice && (
        <NameDialog
          title={`Make a slice of ${words}`}
          says="A slice is found among the images, is a line of later reports, and can be frozen by itself."
          confirm="Make slice"
          act={(name) => makeSlice(which, name)}
          trigger={
            <Button size="small" icon={<Layers aria-hidden />} disabled={isNone}>
              Make a slice
            </Button>
          }
        />
      )}
      {rights.freeze && (
        <NameDialog
          title={`Freeze ${words} as an evaluation set`}
          says="A version of exactly these images with their labels of now, all of them in the split test, with a tag made of its name. It appears among the data when its job is done."
          confirm="Freeze"
          act={(name) => freezeSet(which, name)}
          trigger={
            <Button size="small" icon={<Frame aria-hidden />} disabled={isNone}>
              Freeze as evaluation set
            </Button>
          }
        />
      )}
    </form>
  );
}
