import { useCallback, useRef, useState } from 'react';
import type { DroppedFile } from '@/app/_ui/file-drop';
import { ask } from './ask';

export type UnknownClass = 'accept' | 'refuse';
export type UploadChoices = { className?: string; unknownClass: UnknownClass };
export type Sending = { files: number; allFiles: number; bytes: number; allBytes: number };
export type Report = { id: string; jobId: string };

/** Requests at a time: enough to hide the latency, few enough to leave the server its breath. */
const AT_ONCE = 4;

/** Sends files one by one, then closes the upload; the server's job does the rest. */
export function useUpload(project: string) {
  const [sending, setSending] = useState<Sending>();
  const [report, setReport] = useState<Report>();
  const [problem, setProblem] = useState<string>();
  const abort = useRef<AbortController>(null);

  const send = useCallback(
    async (files: DroppedFile[], choices: UploadChoices) => {
      if (files.length === 0) return;
      abort.current = new AbortController();
      const { signal } = abort.current;
      const allBytes = files.reduce((sum, { file }) => sum + file.size, 0);
      setProblem(undefined);
      setSending({ files: 0, allFiles: files.length, bytes: 0, allBytes });
      try {
        const uploads = `/api/v1/projects/${project}/uploads`;
        const { id } = await ask<{ id: string }>('POST', uploads, { json: choices, signal });
        await sendAll(files, `${uploads}/${id}/files`, signal, (bytes) =>
          setSending((now) => now && { ...now, files: now.files + 1, bytes: now.bytes + bytes }),
        );
        setReport(await ask<Report>('POST', `${uploads}/${id}/finish`, { signal }));
      } catch (error) {
        if (!signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      } finally {
        setSending(undefined);
      }
    },
    [project],
  );

  const cancel = useCallback(() => abort.current?.abort(), []);
  const reset = useCallback(() => setReport(undefined), []);
  return { sending, report, problem, send, cancel, reset };
}

async function sendAll(
  files: DroppedFile[],
  address: string,
  signal: AbortSignal,
  onSent: (bytes: number) => void,
): Promise<void> {
  const waiting = files.values();
  const sender = async () => {
    for (const { file, path } of waiting) {
      await ask('PUT', `${address}?name=${encodeURIComponent(path)}`, { body: file, signal });
      onSent(file.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}
