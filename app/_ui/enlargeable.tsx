'use client';

import type { ReactNode } from 'react';
import { cn } from './cn';
import { Dialog } from './dialog';
import { useUiText } from './ui-text';

interface EnlargeableProps {
  /** What the picture shows: the title of the dialog and the name of the button. */
  title: string;
  /** The small picture. */
  children: ReactNode;
  /** The large one. */
  large: ReactNode;
  className?: string;
}

/** A small picture that opens large in a dialog. Escape closes it. */
export function Enlargeable({ title, children, large, className }: EnlargeableProps) {
  const text = useUiText();
  return (
    <Dialog
      title={title}
      className="max-w-[min(60rem,calc(100vw-2rem))]"
      trigger={
        <button
          type="button"
          aria-label={text.enlarge.replace('{title}', title)}
          className={cn('block cursor-zoom-in rounded-md text-start', className)}
        >
          {children}
        </button>
      }
    >
      {large}
    </Dialog>
  );
}
