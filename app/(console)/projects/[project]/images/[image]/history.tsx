import { CircleHelp, Gavel, Hand, ImageIcon, type LucideIcon, MessageSquare, Tag } from 'lucide-react';
import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { formatDateTime, formatNumber } from '@/lib/core/format';
import type { HistoryEntry, HistoryKind } from '@/lib/services/images/image-history';

const icons: Record<HistoryKind, LucideIcon> = {
  image: ImageIcon,
  item: CircleHelp,
  lease: Hand,
  answer: MessageSquare,
  label: Tag,
  decision: Gavel,
};

/** All that happened to the image, oldest first. */
export function History({ slug, entries }: { slug: string; entries: HistoryEntry[] }) {
  return (
    <Panel title="History" description={`${formatNumber(entries.length)} entries, oldest first, UTC`} flush>
      <section
        aria-label="History"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        className="max-h-[32rem] overflow-y-auto outline-offset-[-2px]"
      >
        <ol className="divide-y divide-line">
          {entries.map((entry, i) => {
            const Icon = icons[entry.kind];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown.
              <li key={i} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-2 px-4 py-1.5">
                <Icon aria-hidden className="mt-0.5 size-3.5 text-ink-3" />
                <div className="min-w-0">
                  <p className="break-words">{entry.text}</p>
                  <p className="flex flex-wrap gap-x-2 text-xs text-ink-3">
                    <time dateTime={entry.at.toISOString()}>{formatDateTime(entry.at)}</time>
                    {entry.workerId ? (
                      <Link
                        href={`/projects/${slug}/crowd/${entry.workerId}`}
                        className="text-ink-2 hover:text-accent"
                      >
                        {entry.by}
                      </Link>
                    ) : (
                      entry.by && <span className="text-ink-2">{entry.by}</span>
                    )}
                  </p>
                </div>
              </li>
            );
          })}
        </ol>
      </section>
    </Panel>
  );
}
