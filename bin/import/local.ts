import { createReadStream } from 'node:fs';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { authorise } from '@/lib/services/access';
import { receiveFile } from '@/lib/services/images/ingest/receive-file';
import { finishUpload, getUpload, listUploadFiles, startUpload } from '@/lib/services/images/ingest/uploads';
import { getJob } from '@/lib/services/jobs';
import { storage } from '@/lib/services/storage';
import { runWorker } from '@/workers/run';
import { commandLine, enterDatabase } from '../database/enter';
import { lockHolder, startLock } from '../start/lock';
import type { Destination } from './files';

/** Imports into the local database. If no instance is running, this process does the work of the worker. */
export async function localDestination(project: string): Promise<Destination> {
  const entered = await enterDatabase();
  const { db } = entered;
  const access = await authorise(db, commandLine, 'images.write', { project });
  const projectId = access.project.id;
  const stopping = new AbortController();
  let working: Promise<void> | undefined;
  let uploadId = '';
  let jobId = '';
  return {
    async begin(options) {
      uploadId = (await startUpload(db, commandLine, { projectId, options })).id;
    },
    async send({ file, name, bytes }) {
      await receiveFile(db, storage(), {
        uploadId,
        name,
        source: createReadStream(file),
        contentLength: bytes,
      });
    },
    async finish() {
      ({ jobId } = await finishUpload(db, commandLine, { uploadId }));
      if (!lockHolder(startLock(readConfig().home))) working = runWorker({ signal: stopping.signal });
    },
    async state() {
      const { job } = await getJob(db, commandLine, { jobId, limit: 1 });
      if (job.state === 'failed' || job.state === 'cancelled') {
        throw new TesseraError('unavailable', `The import was ${job.state}. ${job.error ?? ''}`.trim());
      }
      const { counts } = await getUpload(db, { projectId, uploadId });
      return { isDone: job.state === 'done', counts };
    },
    async refusals() {
      const files = await listUploadFiles(db, { uploadId, state: 'refused', limit: 100_000 });
      return files.map(({ name, reason }) => ({ name, reason: reason ?? '' }));
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await working;
      await entered[Symbol.asyncDispose]();
    },
  };
}
