import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Remote } from '../remote/client';
import type { Progress } from '../terminal/progress';
import type { LocalFile } from './files';

export const sendFile = (
  remote: Remote,
  upload: string,
  { file, name, bytes }: LocalFile,
): Promise<unknown> =>
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
