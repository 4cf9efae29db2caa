'use client';

import { type ButtonProps, buttonStyle } from './button';
import { cn } from './cn';
import { Tooltip } from './tooltip';

type IconButtonProps = Omit<ButtonProps, 'icon' | 'pending' | 'aria-label'> & {
  label: string;
  shortcut?: string;
  side?: 'top' | 'right' | 'bottom' | 'left';
};

const square = { small: 'w-6 px-0', medium: 'w-7 px-0', large: 'w-11 px-0' };

export function IconButton({
  label,
  shortcut,
  side,
  variant = 'quiet',
  size = 'medium',
  className,
  children,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} side={side}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        className={cn(buttonStyle({ variant, size }), square[size ?? 'medium'], '[&_svg]:size-4', className)}
      >
        {children}
      </button>
    </Tooltip>
  );
}
