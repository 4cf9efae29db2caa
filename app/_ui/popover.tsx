'use client';

import { Popover as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from './cn';

interface PopoverProps {
  trigger: ReactNode;
  label: string;
  align?: 'start' | 'center' | 'end';
  className?: string;
  children: ReactNode;
}

export function Popover({ trigger, label, align = 'start', className, children }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cn(
            'z-50 min-w-48 rounded-lg border border-line bg-raised p-3 text-sm shadow-overlay',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Around what ends the business of the popover: a link that was followed. */
export const PopoverClose = Radix.Close;
