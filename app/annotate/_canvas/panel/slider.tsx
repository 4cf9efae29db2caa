'use client';

import { useId } from 'react';

interface SliderProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  /** The value as a person reads it. */
  text: string;
  onChange: (value: number) => void;
}

export function Slider({ label, value, min, max, step, text, onChange }: SliderProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[6.5rem_1fr_minmax(3rem,auto)] items-center gap-2 text-sm">
      <label htmlFor={id} className="text-ink-2">
        {label}
      </label>
      <input
        id={id}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
        className="h-6 min-w-0"
      />
      <output htmlFor={id} className="text-end text-xs whitespace-nowrap text-ink-3 tabular-nums">
        {text}
      </output>
    </div>
  );
}
