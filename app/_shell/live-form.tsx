'use client';

import { usePathname, useRouter } from 'next/navigation';
import { type ComponentProps, useEffect, useRef, useTransition } from 'react';
import { cn } from '@/app/_ui/cn';

/** Somebody who types a number is not shown every digit's outcome. */
const PAUSE_MS = 400;

/** A form whose answer is the page itself: what is chosen goes into the address at once. Without script, by a button. */
export function LiveForm({ children, className, ...rest }: Omit<ComponentProps<'form'>, 'onChange'>) {
  const router = useRouter();
  const path = usePathname();
  const [isReading, startTransition] = useTransition();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (form: HTMLFormElement) => {
    const query = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.append(name, value);
    startTransition(() => router.replace(`${path}?${query}`, { scroll: false }));
  };
  return (
    <form
      {...rest}
      aria-busy={isReading}
      className={cn(className, isReading && 'cursor-progress')}
      onSubmit={(event) => {
        event.preventDefault();
        show(event.currentTarget);
      }}
      onChange={(event) => {
        const form = event.currentTarget;
        clearTimeout(timer.current);
        timer.current = setTimeout(() => show(form), PAUSE_MS);
      }}
    >
      {children}
    </form>
  );
}
