'use client';

import { Grid2x2, Grid3x3, LayoutGrid, Rows3, Shapes, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { preferenceCookie } from '@/app/_shell/preferences';
import { cn } from '@/app/_ui/cn';
import { IconButton } from '@/app/_ui/icon-button';
import { type View, viewCookie, viewWords } from './view-preference';

type Props = { view: View; onChange: (view: View) => void };

const sizeButtons = [
  { size: 'small', label: 'Small thumbnails', icon: <Grid3x3 aria-hidden /> },
  { size: 'medium', label: 'Medium thumbnails', icon: <Grid2x2 aria-hidden /> },
  { size: 'large', label: 'Large thumbnails', icon: <Square aria-hidden /> },
] as const;

/** Grid or table, the size of thumbnails, masks over them: remembered in this browser. */
export function ViewOptions({ view, onChange }: Props) {
  const choose = (change: Partial<View>) => {
    const next = { ...view, ...change };
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it with the next page.
    document.cookie = preferenceCookie(viewCookie, viewWords(next));
    onChange(next);
  };
  const isGrid = view.view === 'grid';
  return (
    <div className="ml-auto flex items-center gap-3">
      {isGrid && (
        <>
          <Toggle
            label="Masks over thumbnails"
            isOn={view.outlines}
            onPress={() => choose({ outlines: !view.outlines })}
          >
            <Shapes aria-hidden />
          </Toggle>
          <span className="flex">
            {sizeButtons.map(({ size, label, icon }) => (
              <Toggle key={size} label={label} isOn={view.size === size} onPress={() => choose({ size })}>
                {icon}
              </Toggle>
            ))}
          </span>
        </>
      )}
      <span className="flex">
        <Toggle label="Grid" isOn={isGrid} onPress={() => choose({ view: 'grid' })}>
          <LayoutGrid aria-hidden />
        </Toggle>
        <Toggle label="Table" isOn={!isGrid} onPress={() => choose({ view: 'table' })}>
          <Rows3 aria-hidden />
        </Toggle>
      </span>
    </div>
  );
}

type ToggleProps = { label: string; isOn: boolean; onPress: () => void; children: ReactNode };

const Toggle = ({ label, isOn, onPress, children }: ToggleProps) => (
  <IconButton
    label={label}
    aria-pressed={isOn}
    onClick={onPress}
    className={cn(isOn && 'bg-accent-soft text-accent')}
  >
    {children}
  </IconButton>
);
