'use client';

import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonStyle } from './button';
import { cn } from './cn';
import { useUiText } from './ui-text';

export const scrimStyle = 'fixed inset-0 z-40 bg-scrim';
export const sheetStyle =
  'fixed top-1/2 left-1/2 z-50 flex max-h-[85dvh] w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 -translate-y-1/2 ' +
  'flex-col rounded-lg border border-line bg-raised shadow-overlay';

interface DialogProps {
  title: string;
  description?: ReactNode;
  trigger?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  className?: string;
  children: ReactNode;
}

/** End the children with `DialogFooter`; keep the buttons there. */
export function Dialog({
  title,
  description,
  trigger,
  open,
  onOpenChange,
  className,
  children,
}: DialogProps) {
  const text = useUiText();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      {trigger && <Radix.Trigger asChild>{trigger}</Radix.Trigger>}
      <Radix.Portal>
        <Radix.Overlay className={scrimStyle} />
        <Radix.Content
          className={cn(sheetStyle, className)}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header className="border-b border-line py-3 ps-4 pe-12">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            {description && (
              <Radix.Description className="mt-0.5 text-sm text-ink-2">{description}</Radix.Description>
            )}
          </header>
          <div className="flex flex-col gap-4 overflow-y-auto p-4">{children}</div>
          {/* Last in order, so that the first field and not the way out has the focus. */}
          <Radix.Close
            aria-label={text.close}
            className={cn(buttonStyle({ variant: 'quiet' }), 'absolute top-2 end-2 w-7 px-0')}
          >
            <X aria-hidden />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <footer className="-mx-4 -mb-4 flex justify-end gap-2 border-t border-line px-4 py-3">{children}</footer>
);

export const DialogClose = Radix.Close;
