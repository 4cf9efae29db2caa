import { Download } from 'lucide-react';
import Link from 'next/link';
import { toProgress } from '@/app/_shell/job-panel';
import { JobProgress } from '@/app/_shell/job-progress';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { buttonStyle } from '@/app/_ui/button';
import { EmptyState } from '@/app/_ui/empty-state';
import { Panel } from '@/app/_ui/panel';
import { State } from '@/app/_ui/state';
import { SmallTable } from '@/app/_ui/table';
import { formatBytes, formatDateTime, formatNumber } from '@/lib/core/format';
import { formats } from '@/lib/core/formats';
import type { ExportView } from '@/lib/services/datasets/exports/list-exports';
import type { Job } from '@/lib/services/jobs';
import { chosenOptions } from './format-options';

interface Props {
  exports: ExportView[];
  /** Active jobs, by id. */
  jobs: ReadonlyMap<string, Job>;
}

function optionWords({ format: id, options }: ExportView): string {
  const format = formats.find((each) => each.id === id);
  const chosen = format ? chosenOptions(format, options as Record<string, string>) : [];
  return chosen.map(([name, value]) => `${name} ${value}`).join(', ') || 'default';
}

/** Exports of the version: active exports with their progress, and finished exports for download. */
export function ExportList({ exports, jobs }: Props) {
  const atWork = exports.flatMap(({ jobId }) => (jobId && jobs.get(jobId)) || []);
  return (
    <div id="exports">
      <Panel title="Exports" flush>
        <RefreshWhile active={atWork.length > 0} />
        {atWork.length > 0 && (
          <div className="flex flex-col gap-4 border-b border-line p-4">
            {atWork.map((job) => (
              <JobProgress key={job.id} {...toProgress(job)} />
            ))}
          </div>
        )}
        <SmallTable
          caption="Exports"
          rows={exports}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No exports yet">
              Choose a format. The same export always gives a zip with the same bytes. It contains a list with
              the SHA-256 of each file.
            </EmptyState>
          }
          columns={[
            {
              key: 'at',
              title: 'When, UTC',
              className: 'whitespace-nowrap tabular-nums',
              cell: ({ at }) => formatDateTime(at),
            },
            {
              key: 'format',
              title: 'Format',
              cell: ({ format }) => formats.find(({ id }) => id === format)?.name ?? format,
            },
            { key: 'options', title: 'Options', cell: optionWords },
            { key: 'by', title: 'By', cell: ({ by }) => by ?? '–' },
            {
              key: 'state',
              title: 'State',
              cell: ({ state, error }) => (
                <span title={error ?? undefined}>
                  <State state={state} />
                  {error && (state === 'failed' || state === 'retrying') && (
                    <span className="block max-w-96 text-xs wrap-anywhere text-ink-3">{error}</span>
                  )}
                </span>
              ),
            },
            { key: 'files', title: 'Files', numeric: true, cell: ({ files }) => formatNumber(files) },
            { key: 'bytes', title: 'Size', numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
            {
              key: 'sha256',
              title: 'SHA-256',
              cell: ({ sha256 }) =>
                sha256 ? (
                  <span title={sha256} className="font-mono text-xs text-ink-2 select-all">
                    {sha256.slice(0, 16)}…
                  </span>
                ) : (
                  '–'
                ),
            },
            {
              key: 'act',
              title: 'Actions',
              untitled: true,
              cell: ({ id, sha256, jobId, state }) =>
                sha256 ? (
                  <a
                    href={`/api/v1/exports/${id}/file`}
                    download
                    className={buttonStyle({ variant: 'quiet', size: 'small' })}
                  >
                    <Download aria-hidden />
                    Download
                  </a>
                ) : (
                  jobId &&
                  state === 'failed' && (
                    <Link
                      href={`/jobs/${jobId}`}
                      className={buttonStyle({ variant: 'quiet', size: 'small' })}
                    >
                      Open job
                    </Link>
                  )
                ),
            },
          ]}
        />
      </Panel>
    </div>
  );
}
