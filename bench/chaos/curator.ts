import { setTimeout as sleep } from 'node:timers/promises';
import { TesseraError } from '@/lib/core/errors';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';
import { type Client, RequestRefused } from '@/lib/demo/simulation/http/client';

/** What the server said that it has, of what a curator gave it. */
export interface Received {
  files: string[];
  jobs: string[];
  versions: number;
}

const FILES = 3;
/** Every so many uploads a version is frozen. */
const FREEZE_EVERY = 3;
const PAUSE_MS = 1500;

/** Adds pictures and freezes versions, over and over, and keeps what was acknowledged. */
export async function curate(
  client: Client,
  { project, className, signal }: { project: string; className: string; signal: AbortSignal },
): Promise<Received> {
  const received: Received = { files: [], jobs: [], versions: 0 };
  const post = <T>(path: string, json?: unknown) =>
    client.request<T>('curator', `/projects/${project}${path}`, { method: 'POST', json });
  for (let round = 0; !signal.aborted; round++) {
    try {
      const { id } = await post<{ id: string }>('/uploads', {});
      for (let n = 0; n < FILES; n++) {
        const bytes = await picture(className, round * FILES + n);
        const name = `added-${round}-${n}.jpg`;
        const sent = await client.request<{ file: { id: string } }>(
          'curator',
          `/projects/${project}/uploads/${id}/files?name=${name}`,
          { method: 'PUT', bytes },
        );
        received.files.push(sent.file.id);
      }
      const { jobId } = await post<{ jobId: string }>(`/uploads/${id}/finish`);
      received.jobs.push(jobId);
      if (round % FREEZE_EVERY === 0) {
        received.jobs.push((await post<{ jobId: string }>('/versions', {})).jobId);
        received.versions += 1;
      }
    } catch (error) {
      // What a retry after a lost answer finds done already: the upload is closed. The next round goes on.
      if (!(error instanceof RequestRefused || error instanceof TesseraError)) throw error;
    }
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
  }
  return received;
}

/** From far along the series of scenes: none that the crowd is asked about. */
async function picture(className: string, n: number): Promise<Uint8Array<ArrayBuffer>> {
  const scene = generateScene({ preset: 'rival10', className, seed: 900_000 + n, width: 160, height: 120 });
  return new Uint8Array(await renderScene(scene, { format: 'jpeg', quality: 80 }));
}
