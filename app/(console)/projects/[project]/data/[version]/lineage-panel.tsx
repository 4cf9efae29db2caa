import Link from 'next/link';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { formatCount, formatDate } from '@/lib/core/format';
import type { listRunsOf } from '@/lib/services/datasets/versions/list-runs-of';

interface Props {
  path: string;
  /** Address of the project. */
  home: string;
  exports: number;
  runs: Awaited<ReturnType<typeof listRunsOf>>;
}

/** What was made of the version. */
export function LineagePanel({ path, home, exports, runs }: Props) {
  return (
    <Panel title="What was made of it">
      <div className="flex flex-col gap-2">
        <Link href={`${path}/export`} className="w-fit underline underline-offset-2">
          {formatCount(exports, 'export')}
        </Link>
        {runs.length === 0 ? (
          <span className="text-ink-2">No run was trained on it.</span>
        ) : (
          <ul className="flex flex-col gap-1">
            {runs.map(({ id, name, state, at }) => (
              <li key={id} className="flex items-center gap-3">
                <Link
                  href={`${home}/runs/${id}`}
                  className="min-w-0 flex-1 truncate underline-offset-2 hover:underline"
                >
                  {name}
                </Link>
                <State state={state} className="text-xs" />
                <span className="text-xs text-ink-3">{formatDate(at)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Panel>
  );
}
