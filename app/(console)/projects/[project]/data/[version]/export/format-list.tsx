import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { Panel } from '@/app/_ui/panel';
import { formats } from '@/lib/core/formats';
import type { Format } from '@/lib/core/formats/format';

const kinds: Record<Format['kind'], string> = {
  'part-model code': 'For the part-model code',
  'own layout': 'As the datasets themselves',
  general: 'General',
};

/** All formats by kind, each with what it is in one sentence. */
export function FormatList({ path, chosen }: { path: string; chosen: string | undefined }) {
  return (
    <Panel title="Format" flush>
      <nav aria-label="Formats" className="flex flex-col py-2">
        {(Object.keys(kinds) as Format['kind'][]).map((kind) => {
          const members = formats.filter((format) => format.kind === kind);
          if (members.length === 0) return null;
          return (
            <div key={kind} className="flex flex-col pb-2">
              <h3 className="px-4 py-1 text-xs font-medium text-ink-3">{kinds[kind]}</h3>
              {members.map(({ id, name, summary }) => (
                <Link
                  key={id}
                  href={`${path}?format=${id}`}
                  scroll={false}
                  aria-current={id === chosen ? 'true' : undefined}
                  className={cn(
                    'flex flex-col border-l-2 border-transparent px-4 py-1 hover:bg-hover',
                    'aria-[current]:border-accent aria-[current]:bg-hover',
                  )}
                >
                  <span className="font-medium">{name}</span>
                  <span className="line-clamp-2 text-xs text-ink-3">{summary}</span>
                </Link>
              ))}
            </div>
          );
        })}
      </nav>
    </Panel>
  );
}
