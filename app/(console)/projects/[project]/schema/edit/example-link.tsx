import { ImagePlus } from 'lucide-react';
import Link from 'next/link';
import { formatCount } from '@/lib/core/format';
import type { ExamplePlace } from '@/lib/services/crowd/guide';

interface ExampleLinkProps {
  slug: string;
  id: string;
  name: string;
  /** Nothing for an entry that has still to be saved: the guide does not know it yet. */
  place: ExamplePlace | undefined;
}

/** The example pictures of an entry, in the guide that workers read. The draft stays in the browser meanwhile. */
export function ExampleLink({ slug, id, name, place }: ExampleLinkProps) {
  if (!place) return <span className="flex h-7 items-center text-xs text-ink-3">once saved</span>;
  const { stageId, count } = place;
  return (
    <Link
      href={`/projects/${slug}/crowd/guide?${new URLSearchParams({ stage: stageId, target: id })}`}
      aria-label={`Example pictures of ${name}: ${count}`}
      className="inline-flex h-7 items-center gap-1 text-xs whitespace-nowrap text-accent hover:underline"
    >
      <ImagePlus aria-hidden className="size-3.5" />
      {count === 0 ? 'Add' : formatCount(count, 'picture')}
    </Link>
  );
}
