import { TesseraError } from '@/lib/core/errors';
import type { UploadCounts } from '@/lib/services/images/ingest/uploads';
import type { Remote } from '../remote/client';
import type { Destination, Refusal } from './destination';
import { sendFile } from './send';

interface RemoteUpload {
  id: string;
  state: 'open' | 'ingesting' | 'done' | 'cancelled';
  counts: UploadCounts;
}

/** More files than an upload may have. */
const all = 1_000_000;

/** By the HTTP API of an instance elsewhere, whose worker reads the pictures. */
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
