import { useCallback, useRef, useState } from 'react';
import { callApi } from '@/app/_shell/call-api';
import type { CheckLine } from '@/lib/core/robustness/onnx/inspect-model';

/** Polling interval in milliseconds. */
const PAUSE = 700;

/** Current activity: upload or check. */
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

/** Form values with files instead of receipts. */
interface Said {
  files: Record<string, File>;
  rest: Record<string, unknown>;
}

/** Uploads files, checks and registers the model. Unchanged files are uploaded once. */
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
          const text = `Uploading ${file.name}`;
          named[kind] =
            known ??
            (await sendFile(`/api/v1/projects/${slug}/model-files`, file, stopping.signal, (done) =>
              setGoing({ what: 'sending', text, done, total: file.size }),
            ));
          receipts.current.set(file, named[kind]);
        }
        setGoing({ what: 'looking', text: 'Waiting for a job worker', done: 0, total: null });
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
    say(job.text || 'Waiting for a job worker');
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    signal.throwIfAborted();
  }
}

/** Uploads a file with progress, which fetch does not support. Returns the receipt. */
function sendFile(
  address: string,
  file: File,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener('abort', stop);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onerror = () => reject(new Error('The connection was interrupted during the upload. Try again.'));
    request.onabort = () => reject(new Error('Upload cancelled.'));
    request.onload = () => {
      const said = parsed(request.responseText);
      if (request.status === 201 && said?.receipt) resolve(said.receipt);
      else reject(new Error(said?.detail ?? `The server answered ${request.status}.`));
    };
    request.onloadend = () => signal.removeEventListener('abort', stop);
    request.open('POST', address);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.send(file);
  });
}

function parsed(text: string): { receipt?: string; detail?: string } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Common colour normalisations. */
export const colours: Record<string, { label: string; description: string; mean: number[]; std: number[] }> =
  {
    imagenet: {
      label: 'As ImageNet',
      description: 'Mean 0.485, 0.456, 0.406; std 0.229, 0.224, 0.225.',
      mean: [0.485, 0.456, 0.406],
      std: [0.229, 0.224, 0.225],
    },
    clip: {
      label: 'As CLIP',
      description: 'Mean 0.481, 0.458, 0.408; std 0.269, 0.261, 0.276.',
      mean: [0.48145466, 0.4578275, 0.40821073],
      std: [0.26862954, 0.26130258, 0.27577711],
    },
    signed: {
      label: '−1 to 1',
      description: 'Mean 0.5, std 0.5.',
      mean: [0.5, 0.5, 0.5],
      std: [0.5, 0.5, 0.5],
    },
    plain: {
      label: '0 to 1, not normalised',
      description: 'Also if the graph normalises.',
      mean: [0, 0, 0],
      std: [1, 1, 1],
    },
    own: { label: 'Other numbers', description: 'Enter mean and std below.', mean: [], std: [] },
  };

const numbers = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);

/** Converts the form to the API input. Empty fields are completed from the file. */
export function readForm(form: FormData): Said {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const given = (name: string) => (text(name) ? { [name]: text(name) } : {});
  const kind = text('kind');
  const chosen = colours[text('colours')] ?? colours.plain;
  const isOwn = text('colours') === 'own';
  const output = { classifier: 'logits', oracle: 'embedding', decoder: 'picture' }[kind] ?? 'logits';
  const size = Number(text('size'));
  const files: Record<string, File> = {};
  for (const name of ['model', 'gradient', 'words', 'encoder']) {
    const file = form.get(name);
    if (file instanceof File && file.size > 0) files[name] = file;
  }
  const range = numbers(text('range'));
  return {
    files,
    rest: {
      name: text('name') || files.model?.name.replace(/\.onnx$/i, '') || '',
      kind,
      otherClasses: form.get('otherClasses') === 'on',
      contract: {
        input: {
          ...(text('input') ? { name: text('input') } : {}),
          ...(size ? { height: size, width: size } : {}),
          ...given('layout'),
          ...given('channels'),
          ...given('view'),
          mean: isOwn ? numbers(text('mean')) : chosen?.mean,
          std: isOwn ? numbers(text('std')) : chosen?.std,
        },
        outputs: text('output') ? { [output]: text('output') } : {},
        ...(kind === 'decoder' ? {} : { classes: lines(text('classes')) }),
        ...(kind === 'classifier' ? given('featureTensor') : {}),
        ...(kind === 'oracle' && text('margin') ? { margin: Number(text('margin')) } : {}),
        ...(kind === 'decoder' && range.length > 0 ? { range } : {}),
        ...(kind === 'decoder' && text('step') ? { step: Number(text('step')) } : {}),
      },
    },
  };
}

const lines = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => (line.trim() ? [line.trim()] : []));
