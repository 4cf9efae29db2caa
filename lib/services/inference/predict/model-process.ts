import { invalid, TesseraError } from '@/lib/core/errors';
import { ChildClient } from '../child-client';
import type { ServingContract } from '../serving-contract';
import type { Picture, Prediction } from './run-model';

export interface PredictRequest {
  file: string;
  contract: ServingContract;
  pictures: readonly Picture[];
}

/** Limit for one batch, including opening the model. The slowest preset takes seconds on two busy cores. */
const TIMEOUT_MS = 180_000;
/** A ResNet-50 with masks of forty parts needs about 1.5 GB for a batch. */
const MEMORY_MB = 3_000;

/** Runs a trained or uploaded model in a separate process with bounded memory and time, and without access to secrets. */
export class PredictProcess implements Disposable {
  readonly #file: string;
  readonly #contract: ServingContract;
  readonly #child: ChildClient;

  constructor(file: string, contract: ServingContract) {
    this.#file = file;
    this.#contract = contract;
    this.#child = new ChildClient('lib/services/inference/predict/predict-child.ts', {
      timeoutMs: TIMEOUT_MS,
      memoryMb: MEMORY_MB,
    });
  }

  /** Returns one prediction per picture, null for unreadable ones. Aborting the signal ends the process. */
  async predict(pictures: readonly Picture[], signal?: AbortSignal): Promise<(Prediction | null)[]> {
    signal?.throwIfAborted();
    const stop = () => this.#child[Symbol.dispose]();
    signal?.addEventListener('abort', stop);
    try {
      const request: PredictRequest = { file: this.#file, contract: this.#contract, pictures };
      const predictions = await this.#child.request<(Prediction | null)[]>('predict', request);
      signal?.throwIfAborted();
      if (predictions.length !== pictures.length) throw new Error('A prediction for each picture.');
      return predictions;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TesseraError && error.kind === 'invalid')
        throw invalid(`${error.message}. Promote another one, or train it again.`);
      throw error;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  [Symbol.dispose](): void {
    this.#child[Symbol.dispose]();
  }
}
