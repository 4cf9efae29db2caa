import { useCallback, useRef, useState } from 'react';
import { callApi } from '@/app/_shell/call-api';
import type { CheckLine } from '@/lib/core/robustness/onnx/check-lines';
import { sendFile } from './send-file';

/** Milliseconds between two looks at a job. */
const PAUSE = 700;

/** What goes on: files are sent, or a job looks at them. */
export interface Going {
  what: 'sending' | 'looking';
  text: string;
  done: number;
  total: number | null;
}

export interface Found {
  lines: CheckLine[];
  isGood: boolean;
  modelId: string | null;
}

interface Job {
  state: string;
  text: string;
  error: string | null;
  result: Found | null;
}

/** A new model as the form says it, with files in place of receipts. */
export interface Said {
  files: Record<string, File>;
  rest: Record<string, unknown>;
}

/** Sends files, has them looked at, and enters the model. Files that did not change are sent once. */
export function useAddModel(slug: string) {
  const [going, setGoing] = useState<Going>();
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<string>();
  const receipts = useRef(new Map<File, string>());
  const stop = useRef<AbortController>(null);
  const jobId = useRef<string>(null);

  const run = useCallback(
    async ({ files, rest }: Said, onlyCheck: boolean): Promise<Found | undefined> => {
      const stopping = new AbortController();
      stop.current = stopping;
      setProblem(undefined);
      setFound(undefined);
      try {
        const named: Record<string, string> = {};
        for (const [kind, file] of Object.entries(files)) {
          const known = receipts.current.get(file);
          const text = `Sending ${file.name}`;
          named[kind] =
            known ??
            (await sendFile(`/api/v1/projects/${slug}/model-files`, file, stopping.signal, (done) =>
              setGoing({ what: 'sending', text, done, total: file.size }),
            ));
          receipts.current.set(file, named[kind]);
        }
        setGoing({ what: 'looking', text: 'Waiting for a worker', done: 0, total: null });
        const { jobId: started } = await callApi<{ jobId: string }>(
          'POST',
          `/api/v1/projects/${slug}/models`,
          {
            json: { ...rest, files: named, onlyCheck },
            signal: stopping.signal,
          },
        );
        jobId.current = started;
        const result = await outcome(started, stopping.signal, (text) =>
          setGoing({ what: 'looking', text, done: 0, total: null }),
        );
        setFound(result);
        return result;
      } catch (error) {
        if (!stopping.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      } finally {
        jobId.current = null;
        setGoing(undefined);
      }
    },
    [slug],
  );

  const cancel = useCallback(() => {
    stop.current?.abort();
    if (jobId.current) callApi('POST', `/api/v1/jobs/${jobId.current}/cancel`).catch(() => {});
  }, []);

  return { going, found, problem, run, cancel, forget: () => setFound(undefined) };
}

async function outcome(id: string, signal: AbortSignal, say: (text: string) => void): Promise<Found> {
  for (;;) {
    const { job } = await callApi<{ job: Job }>('GET', `/api/v1/jobs/${id}?limit=1`, { signal });
    if (job.state === 'done' && job.result) return job.result;
    if (job.state === 'failed' || job.state === 'cancelled')
      throw new Error(job.error ?? 'The job was cancelled.');
    say(job.text || 'Waiting for a worker');
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
  }
}
