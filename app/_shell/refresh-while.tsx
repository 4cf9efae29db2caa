'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useTransition } from 'react';

/** Between the end of one reading and the start of the next: a page that is slow to read is not asked for again. */
const PAUSE_MS = 2000;

/** Refreshes the page while a run is active, so that its counts stay current. */
export function RefreshWhile({ active }: { active: boolean }) {
  const router = useRouter();
  const [isReading, startTransition] = useTransition();
  useEffect(() => {
    if (!active || isReading) return;
    const timer = setTimeout(() => startTransition(() => router.refresh()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [active, isReading, router]);
  return null;
}
