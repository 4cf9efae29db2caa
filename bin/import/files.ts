import { createReadStream, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { TesseraError } from '@/lib/core/errors';
import type { UploadCounts, UploadOptions } from '@/lib/services/images/ingest/uploads';
import { UsageError } from '../command';
import type { Remote } from '../remote';
import type { Progress } from '../terminal';

export interface LocalFile {
  file: string;
  /** Path that starts with the given folder. The innermost folder can name the class. */
  name: string;
  bytes: number;
}

/** Lists the given files and zips, and all files in the given folders. */
export function filesOf(given: string[]): LocalFile[] {
  return given.flatMap((each) => {
    const start = path.resolve(each);
    const found = statSync(start, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`There is no file or folder ${each}.`);
    if (!found.isDirectory()) return [{ file: start, name: path.basename(start), bytes: found.size }];
    return readdirSync(start, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => ({
        file,
        name: path.relative(path.dirname(start), file).split(path.sep).join('/'),
        bytes: statSync(file).size,
      }));
  });
}

export interface UploadState {
  isDone: boolean;
  counts: UploadCounts;
}

interface Refusal {
  name: string;
  reason: string;
}

/** Destination of the pictures: the local database or a remote instance. */
export interface Destination extends AsyncDisposable {
  begin(options: Partial<UploadOptions>): Promise<void>;
  send(file: LocalFile): Promise<void>;
  finish(): Promise<void>;
  state(): Promise<UploadState>;
  refusals(): Promise<Refusal[]>;
}

const sendFile = (remote: Remote, upload: string, { file, name, bytes }: LocalFile): Promise<unknown> =>
  remote.ask(`${upload}/files`, {
    method: 'PUT',
    query: { name },
    body: Readable.toWeb(createReadStream(file)) as ReadableStream,
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
  });

export async function sendAll(
  remote: Remote,
  upload: string,
  files: readonly LocalFile[],
  progress: Progress,
): Promise<void> {
  const sending = progress.begin('Sending');
  for (const [index, file] of files.entries()) {
    sending.update(`${index + 1}/${files.length} ${file.name}`);
    await sendFile(remote, upload, file);
  }
  sending.done(`Sent ${files.length} ${files.length === 1 ? 'file' : 'files'}`);
}

interface RemoteUpload {
  id: string;
  state: 'open' | 'ingesting' | 'done' | 'cancelled';
  counts: UploadCounts;
}

/** Above the maximum number of files in an upload. */
const all = 1_000_000;

/** Sends pictures through the HTTP API of a remote instance, whose worker reads them. */
export function remoteDestination(remote: Remote, project: string): Destination {
  const uploads = `/projects/${encodeURIComponent(project)}/uploads`;
  let upload = '';
  return {
    async begin(options) {
      const made = await remote.ask<RemoteUpload>(uploads, { method: 'POST', json: options });
      upload = `${uploads}/${made.id}`;
    },
    async send(file) {
      await sendFile(remote, upload, file);
    },
    async finish() {
      await remote.ask(`${upload}/finish`, { method: 'POST' });
    },
    async state() {
      const { state, counts } = await remote.ask<RemoteUpload>(upload);
      if (state === 'cancelled') throw new TesseraError('unavailable', 'The import was cancelled.');
      return { isDone: state === 'done', counts };
    },
    async refusals() {
      const files = await remote.list<Refusal>(`${upload}/files`, all, { state: 'refused' });
      return files.map(({ name, reason }) => ({ name, reason }));
    },
    async [Symbol.asyncDispose]() {},
  };
}
