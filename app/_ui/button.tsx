import { cva, type VariantProps } from 'class-variance-authority';
import { LoaderCircle } from 'lucide-react';
import Link from 'next/link';
import type { ComponentProps, ReactNode } from 'react';
import { cn } from './cn';

export const buttonStyle = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap select-none',
    'transition-colors duration-75 disabled:opacity-50 aria-busy:cursor-progress [&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        primary:
          'border-transparent bg-accent-fill text-on-fill enabled:hover:bg-accent-fill-hover [a&]:hover:bg-accent-fill-hover',
        secondary: 'border-line bg-raised text-ink enabled:hover:bg-hover [a&]:hover:bg-hover',
        quiet:
          'border-transparent text-ink-2 enabled:hover:bg-hover enabled:hover:text-ink [a&]:hover:bg-hover [a&]:hover:text-ink',
        danger:
          'border-transparent bg-bad-fill text-on-fill enabled:hover:bg-bad-fill-hover [a&]:hover:bg-bad-fill-hover',
      },
      size: {
        small: 'h-6 px-2 text-xs [&_svg]:size-3.5',
        medium: 'h-7 px-2.5 text-sm [&_svg]:size-3.5',
        /** For the worker's pages: 44 px, a thumb's width. */
        large: 'min-h-11 max-w-full px-5 py-1.5 text-center text-base whitespace-normal [&_svg]:size-4',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'medium' },
  },
);

export type ButtonStyle = VariantProps<typeof buttonStyle>;

export type ButtonProps = ComponentProps<'button'> &
  ButtonStyle & {
    icon?: ReactNode;
    /** The action runs: the button says so and cannot be pressed again. */
    pending?: boolean;
  };

export function Button({ variant, size, icon, pending, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || pending}
      aria-busy={pending || undefined}
      className={cn(buttonStyle({ variant, size }), className)}
    >
      {pending ? <LoaderCircle className="animate-spin" aria-hidden /> : icon}
      {children}
    </button>
  );
}

export type ButtonLinkProps = ComponentProps<typeof Link> & ButtonStyle & { icon?: ReactNode };

export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={cn(buttonStyle({ variant, size }), className)}>
      {icon}
      {children}
    </Link>
  );
}
