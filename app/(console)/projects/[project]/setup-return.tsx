'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useSyncExternalStore } from 'react';
import { setupPlace } from './setup-place';

const KEPT = 'tessera-setup';

/** A subscription that never fires: the stored value only changes with the page. */
const never = () => () => undefined;

/**
 * On a page that was opened from the guided path: where one is on it, and the way back. The forms of a step lead to
 * other addresses of it, so the tab remembers the step until the reader goes elsewhere.
 */
export function SetupReturn({ slug }: { slug: string }) {
  const pathname = usePathname();
  const asked = useSearchParams().get('setup');
  const kept = useSyncExternalStore(
    never,
    () => sessionStorage.getItem(KEPT),
    () => null,
  );
  const place = setupPlace(slug, pathname, asked, kept);
  useEffect(() => {
    const now = setupPlace(slug, pathname, asked, sessionStorage.getItem(KEPT));
    if (now) sessionStorage.setItem(KEPT, now.kept);
    else sessionStorage.removeItem(KEPT);
  }, [slug, pathname, asked]);
  if (!place) return null;
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
        Back to setup
      </Link>
      <span className="text-ink-2">
        Step {place.number} of {place.count}: {place.step}
      </span>
    </nav>
  );
}
