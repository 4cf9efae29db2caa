import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { ChildReply, ChildRequest } from './serve-child';

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/**
 * Client of a sandboxed child process for untrusted files: memory and time are limited and the environment has no secrets.
 * Requests can be queued; they are answered in order.
 */
export class ChildClient implements Disposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout | undefined;
  #nextId = 1;
  #gone: string | null = null;

  /** `timeoutMs`: maximum time without a reply while requests are open. `sharedFile`: descriptor that the child can read. */
  constructor(
    entry: string,
    { timeoutMs, memoryMb, sharedFile }: { timeoutMs: number; memoryMb: number; sharedFile?: number },
  ) {
    this.#timeoutMs = timeoutMs;
    this.#child = fork(path.join(/* turbopackIgnore: true */ projectFolder, entry), [String(memoryMb)], {
      cwd: projectFolder,
      execArgv: ['--import', 'tsx', '--max-old-space-size=1024'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...(sharedFile === undefined ? [] : [sharedFile])],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: process.env.NODE_ENV ?? 'production',
      },
    });
    this.#child.on('message', (reply: ChildReply) => this.#settle(reply));
    this.#child.on('exit', () => this.#end('its process ended, possibly out of memory'));
    this.#child.on('error', () => this.#end('its process did not start'));
  }

  /** Number of open requests. */
  get waiting(): number {
    return this.#waiting.size;
  }

  request<T>(call: string, payload: unknown): Promise<T> {
    if (this.#gone) return Promise.reject(gone(this.#gone));
    const id = this.#nextId++;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      if (this.#waiting.size === 1) this.#watch();
      this.#child.send({ id, call, payload } satisfies ChildRequest, (error) => {
        if (error) this.#end('its process ended');
      });
    });
  }

  [Symbol.dispose](): void {
    this.#end('it was stopped');
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#waiting.size === 0) return;
    this.#timer = setTimeout(
      () => this.#end(`it did not reply within ${Math.round(this.#timeoutMs / 1000)} s`),
      this.#timeoutMs,
    );
  }

  #settle(reply: ChildReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    this.#watch();
    if (!waiting) return;
    if ('answer' in reply) waiting.resolve(reply.answer);
    else
      waiting.reject(
        new TesseraError(
          'invalid',
          reply.isUserError ? reply.failed : `The model does not run: ${reply.failed}`,
        ),
      );
  }

  #end(why: string): void {
    this.#gone ??= why;
    clearTimeout(this.#timer);
    this.#child.kill('SIGKILL');
    for (const { reject } of this.#waiting.values()) reject(gone(this.#gone));
    this.#waiting.clear();
  }
}

const gone = (why: string) =>
  new TesseraError('unavailable', `The model does not run: ${why}. Try a smaller model.`);
