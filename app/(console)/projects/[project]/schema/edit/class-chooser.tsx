'use client';

import { Button } from '@/app/_ui/button';
import { Checkbox } from '@/app/_ui/forms';
import { Popover } from '@/app/_ui/popover';
import type { SchemaClass } from '@/lib/core/schema';

interface ClassChooserProps {
  name: string;
  classes: SchemaClass[];
  chosen: string[];
  onChange: (chosen: string[]) => void;
}

/** Which classes have a part. */
export function ClassChooser({ name, classes, chosen, onChange }: ClassChooserProps) {
  const words = classes.filter(({ id }) => chosen.includes(id)).map((entry) => entry.name || entry.id);
  const toggle = (id: string, isChosen: boolean) =>
    onChange(
      classes.map((entry) => entry.id).filter((each) => (each === id ? isChosen : chosen.includes(each))),
    );
  return (
    <Popover
      label={`Classes that have ${name}`}
      className="max-h-72 overflow-y-auto"
      trigger={
        <Button
          className="w-full min-w-0 shrink justify-start font-normal"
          title={words.join(', ')}
          aria-label={`Classes of ${name}`}
        >
          <span className="truncate">{words.join(', ') || 'Choose classes'}</span>
        </Button>
      }
    >
      <div className="flex flex-col gap-1">
        {classes.map((entry) => (
          <Checkbox
            key={entry.id}
            label={entry.name || entry.id}
            checked={chosen.includes(entry.id)}
            onChange={(event) => toggle(entry.id, event.target.checked)}
          />
        ))}
      </div>
    </Popover>
  );
}
