import type { ReactNode } from 'react';
import { Choice } from './choice';

interface RadioGroupProps {
  name: string;
  legend: string;
  options: { value: string; label: ReactNode; hint?: ReactNode; disabled?: boolean }[];
  defaultValue?: string;
  row?: boolean;
}

const dot =
  'relative size-4 shrink-0 appearance-none rounded-full border border-line-strong bg-raised checked:border-accent-fill ' +
  'disabled:border-line disabled:bg-sunken before:absolute before:inset-[3px] before:hidden before:rounded-full ' +
  'before:bg-accent-fill checked:before:block disabled:before:bg-line-strong';

export function RadioGroup({ name, legend, options, defaultValue, row }: RadioGroupProps) {
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-ink-2">{legend}</legend>
      <div className={row ? 'flex flex-wrap gap-x-5 gap-y-1' : 'flex flex-col gap-1'}>
        {options.map((option) => (
          <Choice
            key={option.value}
            label={option.label}
            hint={option.hint}
            disabled={option.disabled}
            control={
              <input
                type="radio"
                name={name}
                value={option.value}
                defaultChecked={option.value === defaultValue}
                disabled={option.disabled}
                className={dot}
              />
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
