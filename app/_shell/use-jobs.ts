'use client';

import { useEffect, useState } from 'react';
import { type TrayJob, withNews } from './jobs-state';

/** Jobs as the server tells of them. The browser reconnects by itself when the line breaks. */
export function useJobs() {
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
