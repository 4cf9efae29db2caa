import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TesseraError } from '@/lib/core/errors';
import {
  type ChildReply,
  type ChildRequest,
  listenForRequests,
  runBesideFile,
  SHARED_FILE_DESCRIPTOR,
} from '../serve-child';
import type { ModelSource } from './open-model';
import { isPictureBatch, isPictureLocation, type PictureBatch, SharedPictureReader } from './shared-pictures';

/** Returns the picture memory together with the result, because only one thread can own it. */
export type ThreadReply = ChildReply & { memory?: PictureBatch['memory'] };

/** Client of a worker thread, with the interface of `ChildClient`. Thread and process end together. */
class ThreadClient {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, (reply: ThreadReply) => void>();
  #nextId = 1;

  private constructor(thread: Worker) {
    this.#thread = thread;
    thread.on('message', (reply: ThreadReply) => {
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    thread.on('error', (error) => {
      console.error(error);
      process.exit(1);
    });
  }

  /** Starts the thread and waits until its program is loaded, which is resolved from the working directory. */
  static async start(entry: string): Promise<ThreadClient> {
    // The TypeScript loader is not inherited by threads.
    const file = new URL('./typescript-thread.mjs', import.meta.url);
    const thread = new Worker(file, { workerData: entry, execArgv: [] });
    await once(thread, 'message');
    return new ThreadClient(thread);
  }

  /** Transfers the memory of a picture batch to the thread and returns it with the result. */
  async request(
    call: string,
    payload: unknown,
  ): Promise<{ answer: unknown; memory?: PictureBatch['memory'] }> {
    const id = this.#nextId++;
    const reply = await new Promise<ThreadReply>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#thread.postMessage(
        { id, call, payload } satisfies ChildRequest,
        isPictureBatch(payload) ? [payload.memory.buffer] : [],
      );
    });
    if ('answer' in reply) return reply;
    throw reply.isUserError ? new TesseraError('invalid', reply.failed) : new Error(reply.failed);
  }
}

/**
 * Entry point of the model process. This thread handles messages and pictures while a second thread only runs the model;
 * with one thread, a small model was idle for a tenth of the time.
 */
const pictures = new SharedPictureReader(SHARED_FILE_DESCRIPTOR);
const thread = await ThreadClient.start('./model-thread.ts');

listenForRequests(async (call, payload) => {
  // The working directory belongs to the process; a thread cannot change it.
  const { answer, memory } =
    call === 'open'
      ? await runBesideFile((payload as ModelSource).file, () => thread.request(call, payload))
      : await thread.request(call, isPictureLocation(payload) ? pictures.read(payload) : payload);
  if (memory) pictures.clear(memory);
  return answer;
});
