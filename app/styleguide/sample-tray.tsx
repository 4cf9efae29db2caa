'use client';

import { useState } from 'react';
import { JobTray } from '@/app/_shell/job-tray';
import type { TrayJob } from '@/app/_shell/jobs-state';

const job = (part: Partial<TrayJob> & Pick<TrayJob, 'id' | 'title' | 'state'>): TrayJob => ({
  kind: 'ingest',
  done: 0,
  total: null,
  text: '',
  startedAt: null,
  finishedAt: null,
  cancelRequested: false,
  error: null,
  projectName: 'RIVAL10',
  ...part,
});

/** Started a minute before the page was opened, so that a time left can be shown. */
const samples = (): TrayJob[] => {
  const startedAt = new Date(Date.now() - 60_000).toISOString();
  return [
    job({
      id: '1',
      title: 'Import of birds.zip',
      state: 'running',
      done: 1840,
      total: 5000,
      text: 'Making thumbnails',
      startedAt,
    }),
    job({ id: '2', title: 'Freeze version 7', state: 'queued' }),
    job({
      id: '3',
      title: 'Export to COCO',
      state: 'failed',
      done: 30,
      total: 120,
      error: 'The disk is full: free 2 GB and retry.',
    }),
  ];
};

export function SampleTray() {
  const [jobs, setJobs] = useState(samples);
  const cancel = async (id: string) =>
    setJobs((known) => known.map((each) => (each.id === id ? { ...each, state: 'cancelled' } : each)));
  return (
    <JobTray
      jobs={jobs}
      onCancel={cancel}
      onDismiss={(ids) => setJobs((known) => known.filter((each) => !ids.includes(each.id)))}
    />
  );
}
