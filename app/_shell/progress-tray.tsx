'use client';

import { JobTray } from './job-tray';
import { cancelJob } from './tray-job-row';
import { useJobs } from './use-jobs';

export function ProgressTray() {
  const { jobs, dismiss } = useJobs();
  return <JobTray jobs={jobs} onCancel={cancelJob} onDismiss={dismiss} />;
}
