import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { log } from '@/lib/services/observability/log';
import type { ModelAnswer, ModelQuestion } from './run-models';

export interface ModelRequest {
  id: number;
  question: ModelQuestion;
}

export type ModelReply = { id: number; answer: ModelAnswer; ms: number } | { id: number; failed: string };

export interface TimedAnswer extends ModelAnswer {
  /** Time in the model process, without waiting for others. */
  ms: number;
}

/** Maximum queue length; each request takes about a second. */
const MAX_WAITING = 12;
/** Loading a model and encoding a picture takes about 2 s on two idle cores and 30 s on two busy ones. */
const TIMEOUT_MS = 60_000;
/** Idle time after which the process ends to free its memory. */
const IDLE_MS = 10 * 60_000;

/**
 * Client of the model process. A separate process limits memory and time and isolates the web server from failures. One
 * request at a time, because one saturates the cores.
 */
export class ModelProcess {
  #child: ChildProcess | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;

  async ask(question: ModelQuestion): Promise<TimedAnswer> {
    if (this.#waiting >= MAX_WAITING)
      throw new TesseraError('unavailable', 'The smart tools are busy. Try again in a moment.', {
        code: 'smartBusy',
      });
    this.#waiting++;
    clearTimeout(this.#idle);
    const turn = this.#last.then(() => this.#exchange(question));
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#waiting--;
      if (this.#waiting === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #exchange(question: ModelQuestion): Promise<TimedAnswer> {
    const child = this.#ready();
    child.ref();
    child.channel?.ref();
    try {
      const reply = await this.#reply(child, { id: this.#nextId++, question });
      if ('answer' in reply) return { ...reply.answer, ms: reply.ms };
      log.error({ failed: reply.failed }, 'a model failed');
    } finally {
      // An idle process does not keep the server alive, and ends with it.
      child.unref();
      child.channel?.unref();
    }
    throw new TesseraError('unavailable', 'The smart tool failed on this image. Draw the mask by hand.', {
      code: 'smartFailed',
    });
  }

  #ready(): ChildProcess {
    if (this.#child?.connected && !this.#child.killed) return this.#child;
    this.#child = startChild();
    return this.#child;
  }

  #reply(child: ChildProcess, request: ModelRequest): Promise<ModelReply> {
    return new Promise((resolve) => {
      const settle = (reply: ModelReply) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(reply);
      };
      const giveUp = (failed: string) => {
        child.kill('SIGKILL');
        settle({ id: request.id, failed });
      };
      const timer = setTimeout(() => giveUp(`no answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
      const onMessage = (reply: ModelReply) => {
        if (reply.id === request.id) settle(reply);
      };
      const onExit = () => giveUp('the model process ended, possibly out of memory');
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send(request, (error) => error && onExit());
    });
  }
}

function startChild(): ChildProcess {
  const entry = path.join(
    /* turbopackIgnore: true */ projectFolder,
    'lib/services/inference/assists/model-child.ts',
  );
  return fork(entry, {
    cwd: projectFolder,
    execArgv: ['--import', 'tsx', '--max-old-space-size=1024'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The environment has no secrets.
    env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV ?? 'production' },
  });
}

const held = globalThis as { tesseraModels?: ModelProcess };

/** One per web process, shared by all bundles. */
export function modelProcess(): ModelProcess {
  held.tesseraModels ??= new ModelProcess();
  return held.tesseraModels;
}
