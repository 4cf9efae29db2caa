import { useCallback, useRef, useState } from 'react';
import { callApi } from '@/app/_shell/call-api';
import type { DroppedFile } from '@/app/_ui/file-drop';
import type { Mapping } from '@/lib/core/formats/mapping';

export type UnknownClass = 'accept' | 'refuse';
export type UploadChoices = { className?: string; unknownClass: UnknownClass };
export type Sending = { files: number; allFiles: number; bytes: number; allBytes: number };
export type Report = { id: string; jobId: string; isDataset?: boolean };
export type Guess = { format: string; name: string; certainty: number; because: string };
/**
 * Uploaded files that look like a dataset. The user decides whether to import the labels. If the files are too large
 * for detection, `guesses` lists all formats.
 */
export type Found = { id: string; guesses: Guess[]; isTooLarge: boolean };

/** Whether a file type can contain labels or archives. Pictures alone are not a dataset. */
const mayBeDataset = (path: string) =>
  /\.(zip|json|xml|ya?ml|parquet|tar|csv|mat|tiff?|npy|pkl)$/i.test(path);

/** Concurrent requests: enough to hide the latency without overloading the server. */
const AT_ONCE = 4;

/** Sends files one by one, then closes the upload; the server's job does the rest. */
export function useUpload(project: string) {
  const [sending, setSending] = useState<Sending>();
  const [report, setReport] = useState<Report>();
  const [found, setFound] = useState<Found>();
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
        const { id } = await callApi<{ id: string }>('POST', uploads, { json: choices, signal });
        await sendAll(files, `${uploads}/${id}/files`, signal, (bytes) =>
          setSending((now) => now && { ...now, files: now.files + 1, bytes: now.bytes + bytes }),
        );
        const seen = files.some(({ path }) => mayBeDataset(path))
          ? await lookAt(`${uploads}/${id}`, signal)
          : null;
        if (seen && seen.guesses.length > 0) setFound({ id, ...seen });
        else setReport(await callApi<Report>('POST', `${uploads}/${id}/finish`, { signal }));
      } catch (error) {
        if (!signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      } finally {
        setSending(undefined);
      }
    },
    [project],
  );

  /** `format`: null imports the pictures only. */
  const begin = useCallback(
    async ({ id }: Pick<Found, 'id'>, format: string | null, mapping?: Mapping) => {
      const upload = `/api/v1/projects/${project}/uploads/${id}`;
      setProblem(undefined);
      try {
        const started =
          format === null
            ? await callApi<Report>('POST', `${upload}/finish`)
            : await callApi<Report>('POST', `${upload}/import`, { json: { format, mapping } });
        setFound(undefined);
        setReport({ ...started, id, isDataset: format !== null });
      } catch (error) {
        setProblem(error instanceof Error ? error.message : String(error));
      }
    },
    [project],
  );

  const cancel = useCallback(() => abort.current?.abort(), []);
  const reset = useCallback(() => {
    setReport(undefined);
    setFound(undefined);
    setProblem(undefined);
  }, []);
  return { sending, found, report, problem, send, begin, cancel, reset };
}

async function lookAt(upload: string, signal: AbortSignal): Promise<Omit<Found, 'id'>> {
  const seen = await callApi<Omit<Found, 'id'>>('GET', `${upload}/formats`, { signal });
  if (!seen.isTooLarge) return seen;
  type Format = { id: string; name: string; imports: boolean };
  const { items } = await callApi<{ items: Format[] }>('GET', '/api/v1/formats', { signal });
  const readable = items.filter(({ imports }) => imports);
  const guesses = readable.map(({ id, name }) => ({ format: id, name, certainty: 0, because: '' }));
  return { guesses, isTooLarge: true };
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
      await callApi('PUT', `${address}?name=${encodeURIComponent(path)}`, { body: file, signal });
      onSent(file.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}
