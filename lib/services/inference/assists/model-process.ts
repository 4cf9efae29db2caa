import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { log } from '@/lib/services/observability/log';
import type { ModelCall, ModelOutcome } from './run-models';

export interface ModelRequest {
  id: number;
  call: ModelCall;
}

export type ModelReply = { id: number; outcome: ModelOutcome; ms: number } | { id: number; failed: string };

export interface TimedOutcome extends ModelOutcome {
  /** Time in the model process. */
  ms: number;
}

/** Loading a model and encoding a picture takes about 3 s on two idle cores and 30 s on two busy ones. */
const TIMEOUT_MS = 60_000;
/** Idle time after which the process ends to free its memory. */
const IDLE_MS = 10 * 60_000;

/**
 * Client of a model process. A separate process limits memory and time and isolates the web server from failures. If it
 * ends, its request fails and the next one starts a new process.
 */
export class ModelProcess {
  #child: ChildProcess | undefined;
  #open = 0;
  #nextId = 1;
  #idle: NodeJS.Timeout | undefined;

  async call(call: ModelCall): Promise<TimedOutcome> {
    this.#open++;
    clearTimeout(this.#idle);
    const child = this.#ready();
    child.ref();
    child.channel?.ref();
    try {
      const reply = await this.#reply(child, { id: this.#nextId++, call });
      if ('outcome' in reply) return { ...reply.outcome, ms: reply.ms };
      log.error({ failed: reply.failed }, 'a model failed');
    } finally {
      this.#open--;
      if (this.#open === 0) {
        // An idle process does not keep the server alive, and ends with it.
        child.unref();
        child.channel?.unref();
        this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
      }
    }
    throw new TesseraError('unavailable', 'The smart tool failed on this image. Draw the mask by hand.', {
      code: 'smartFailed',
    });
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
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
