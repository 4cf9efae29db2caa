'use client';

import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { formatCount } from '@/lib/core/format';
import { isOver, type TrayJob, withNews } from './jobs-state';
import { cancelJob, TrayJobRow } from './tray-job-row';
import { useClock } from './use-clock';

interface JobTrayProps {
  jobs: TrayJob[];
  onCancel: (id: string) => Promise<void>;
  onDismiss: (ids: string[]) => void;
}

/** Long work, wherever the reader is. Absent while there is none. */
export function JobTray({ jobs, onCancel, onDismiss }: JobTrayProps) {
  const [open, setOpen] = useState(false);
  const active = jobs.filter((job) => !isOver(job));
  const over = jobs.filter(isOver);
  const now = useClock(open && active.length > 0);
  if (jobs.length === 0) return null;
  const counted = active.filter((job) => job.total);
  const done = counted.reduce((sum, job) => sum + job.done / (job.total ?? 1), 0);
  const failed = over.filter((job) => job.state === 'failed').length;
  const summary = active.length ? `${formatCount(active.length, 'job')} running` : 'All jobs are over';
  const Arrow = open ? ChevronDown : ChevronUp;
  return (
    <section
      aria-label="Jobs"
      className="fixed right-4 bottom-4 z-30 w-88 max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised shadow-overlay"
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-9 w-full items-center gap-3 px-3 text-left"
      >
        <span className="font-medium whitespace-nowrap" aria-live="polite">
          {summary}
        </span>
        {failed > 0 && <span className="text-xs whitespace-nowrap text-bad">{failed} failed</span>}
        {active.length > 0 && !open && (
          <ProgressBar label={summary} done={done} total={counted.length || null} className="flex-1" />
        )}
        <Arrow aria-hidden className="ml-auto size-4 shrink-0 text-ink-3" />
      </button>
      {open && (
        <ul className="max-h-80 overflow-y-auto border-t border-line">
          {jobs.map((job) => (
            <li key={job.id} className="border-b border-line px-3 py-2 last:border-b-0">
              <TrayJobRow job={job} now={now} onCancel={onCancel} onDismiss={() => onDismiss([job.id])} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function ProgressTray() {
  const { jobs, dismiss } = useJobs();
  return <JobTray jobs={jobs} onCancel={cancelJob} onDismiss={dismiss} />;
}

/** Jobs as the server tells of them. The browser reconnects by itself when the line breaks. */
function useJobs() {
  const [jobs, setJobs] = useState<TrayJob[]>([]);
  useEffect(() => {
    const source = new EventSource('/api/v1/jobs/stream');
    source.onmessage = (event) => {
      const news = [JSON.parse(event.data)].flat() as TrayJob[];
      setJobs((known) => withNews(known, news));
    };
    return () => source.close();
  }, []);
  const dismiss = (ids: string[]) => setJobs((known) => known.filter((job) => !ids.includes(job.id)));
  return { jobs, dismiss };
}
