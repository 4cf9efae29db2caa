'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';

const steps = ['images', 'schema', 'instructions', 'gold', 'policy', 'invite'];

/** On a page that was opened from the guided path: where one is on it, and the way back. */
export function SetupReturn({ slug }: { slug: string }) {
  const step = useSearchParams().get('setup');
  const place = steps.indexOf(step ?? '');
  if (place < 0) return null;
  return (
    <nav
      aria-label="Set-up"
      className="sticky top-0 z-20 flex h-8 items-center gap-3 border-b border-line bg-accent-soft px-6 text-xs"
    >
      <Link
        href={`/projects/${slug}/setup`}
        className="inline-flex items-center gap-1 font-medium text-accent"
      >
        <ArrowLeft aria-hidden className="size-3.5" />
        Back to set-up
      </Link>
      <span className="text-ink-2">
        Step {place + 1} of {steps.length}: {step}
      </span>
    </nav>
  );
}
