import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import type { ServingContract } from '../serving-contract';
import type { Picture, Prediction } from './run-model';

export interface PredictRequest {
  id: number;
  file: string;
  contract: ServingContract;
  pictures: readonly Picture[];
}

/** `gone`: the process is no more, and another may do better. */
export type PredictReply =
  | { id: number; predictions: (Prediction | null)[] }
  | { id: number; failed: string; gone?: true };

/** For one batch, opening the model included; the slowest preset takes seconds on two crowded cores. */
const TIMEOUT_MS = 180_000;

/**
 * A process of its own for a model that somebody trained or uploaded: what it takes of memory and time is bounded, no
 * secret is within its reach, and whatever happens there ends a job and nothing else.
 */
export class PredictProcess implements Disposable {
  readonly #file: string;
  readonly #contract: ServingContract;
  readonly #child: ChildProcess;
  #nextId = 1;

  constructor(file: string, contract: ServingContract) {
    this.#file = file;
    this.#contract = contract;
    const entry = path.join(
      /* turbopackIgnore: true */ projectFolder,
      'lib/services/inference/predict/predict-child.ts',
    );
    this.#child = fork(entry, {
      cwd: projectFolder,
      execArgv: ['--import', 'tsx', '--max-old-space-size=1024'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV ?? 'production' },
    });
  }

  /** Null of a picture that cannot be read. Fails with what is wrong with the model, and at once when the job is to end. */
  async predict(pictures: readonly Picture[], signal?: AbortSignal): Promise<(Prediction | null)[]> {
    signal?.throwIfAborted();
    const reply = await this.#ask(
      { id: this.#nextId++, file: this.#file, contract: this.#contract, pictures },
      signal,
    );
    signal?.throwIfAborted();
    if ('failed' in reply)
      throw new TesseraError(
        reply.gone ? 'unavailable' : 'invalid',
        `The model does not run: ${reply.failed}. Promote another one, or train it again.`,
      );
    if (reply.predictions.length !== pictures.length) throw new Error('A prediction for each picture.');
    return reply.predictions;
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  #ask(request: PredictRequest, signal?: AbortSignal): Promise<PredictReply> {
    const child = this.#child;
    return new Promise((resolve) => {
      const settle = (reply: PredictReply) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        signal?.removeEventListener('abort', onAbort);
        resolve(reply);
      };
      const fail = (failed: string) => {
        child.kill('SIGKILL');
        settle({ id: request.id, failed, gone: true });
      };
      const timer = setTimeout(() => fail(`no answer within ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS);
      const onMessage = (reply: PredictReply) => {
        if (reply.id === request.id) settle(reply);
      };
      const onExit = () => fail('its process ended, perhaps for want of memory');
      const onAbort = () => fail('it was stopped');
      child.on('message', onMessage);
      child.on('exit', onExit);
      signal?.addEventListener('abort', onAbort);
      if (child.exitCode !== null || child.signalCode !== null || !child.connected) onExit();
      else child.send(request, (error) => error && onExit());
    });
  }
}
