import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { TesseraError } from '@/lib/core/errors';
import {
  type ChildReply,
  type ChildRequest,
  listenForRequests,
  runBesideFile,
  SHARED_FILE_DESCRIPTOR,
} from '@/lib/services/inference/serve-child';
import type { ModelSource } from './open-model';
import { isPictureBatch, isPictureLocation, type PictureBatch, SharedPictureReader } from './shared-pictures';

/** With the memory of the pictures it was asked about: only one thread can have it at a time. */
export type ThreadReply = ChildReply & { memory?: PictureBatch['memory'] };

/** A thread that is asked as `AskedChild` asks a process. It ends with its process, and its process with it. */
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

  /** There once its program is loaded: that is found from the folder the process is in. */
  static async start(entry: string): Promise<ThreadClient> {
    // The loader of TypeScript does not follow into threads by itself.
    const file = new URL('./typescript-thread.mjs', import.meta.url);
    const thread = new Worker(file, { workerData: entry, execArgv: [] });
    await once(thread, 'message');
    return new ThreadClient(thread);
  }

  /** A row of pictures is given away; its memory comes back with the answer. */
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
 * The process of a model. This thread hears the questions, fetches their pictures and says the answers, while another
 * one does nothing but run the model: of a small model's time, a tenth lay between two runs.
 */
const pictures = new SharedPictureReader(SHARED_FILE_DESCRIPTOR);
const thread = await ThreadClient.start('./model-thread.ts');

listenForRequests(async (call, payload) => {
  // The folder is that of the process: a thread cannot choose it.
  const { answer, memory } =
    call === 'open'
      ? await runBesideFile((payload as ModelSource).file, () => thread.request(call, payload))
      : await thread.request(call, isPictureLocation(payload) ? pictures.read(payload) : payload);
  if (memory) pictures.clear(memory);
  return answer;
});
