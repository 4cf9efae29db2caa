'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { buttonStyle } from '@/app/_ui/button';
import { Kbd } from '@/app/_ui/kbd';

type Props = { back: string; before: string | null; after: string | null };

/** To the images before and after this one in the list one came from, by mouse or by arrow keys. */
export function Steps({ back, before, after }: Props) {
  const router = useRouter();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      if (target.closest('input, textarea, select, [role="dialog"], [role="menu"]')) return;
      const to = { ArrowLeft: before, ArrowRight: after, Escape: back }[event.key];
      if (to) router.push(to);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [router, back, before, after]);
  return (
    <nav aria-label="Neighbours in the list" className="flex items-center gap-2">
      <Link href={back} className={buttonStyle({ variant: 'quiet' })}>
        Back to the list
      </Link>
      <Step href={before} label="Previous">
        <ChevronLeft aria-hidden />
        Previous <Kbd keys="←" />
      </Step>
      <Step href={after} label="Next">
        Next <Kbd keys="→" />
        <ChevronRight aria-hidden />
      </Step>
    </nav>
  );
}

function Step({ href, label, children }: { href: string | null; label: string; children: React.ReactNode }) {
  if (href) {
    return (
      <Link href={href} className={buttonStyle()}>
        {children}
      </Link>
    );
  }
  return (
    <span
      title={`There is no ${label.toLowerCase()} image in the list`}
      className={`${buttonStyle()} opacity-50`}
    >
      {children}
    </span>
  );
}
