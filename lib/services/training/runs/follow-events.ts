import { open } from 'node:fs/promises';
import path from 'node:path';

/** A line of events.jsonl. */
export interface RunEvent {
  seq: number;
  /** Seconds since 1970. */
  t: number;
  attempt: number;
  kind: string;
  [field: string]: unknown;
}

/** Reads what a trainer has told since the last look; a line that is not whole yet waits for the next. */
export class EventFollower {
  #position = 0;
  #rest = Buffer.alloc(0);

  constructor(
    private readonly folder: string,
    /** Events up to here are known. */
    private readonly after: number,
  ) {}

  async read(): Promise<RunEvent[]> {
    const handle = await open(path.join(this.folder, 'events.jsonl'), 'r').catch(() => null);
    if (!handle) return [];
    try {
      const { size } = await handle.stat();
      // A line that a crash tore is cut off by the next attempt: what was held of it is void.
      if (size < this.#position) {
        this.#position -= this.#rest.length;
        this.#rest = Buffer.alloc(0);
      }
      if (size <= this.#position) return [];
      const fresh = Buffer.alloc(size - this.#position);
      const { bytesRead } = await handle.read(fresh, 0, fresh.length, this.#position);
      this.#position += bytesRead;
      const text = Buffer.concat([this.#rest, fresh.subarray(0, bytesRead)]);
      const end = text.lastIndexOf(10) + 1;
      this.#rest = Buffer.from(text.subarray(end));
      return text
        .subarray(0, end)
        .toString('utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as RunEvent)
        .filter(({ seq }) => seq > this.after);
    } finally {
      await handle.close();
    }
  }
}
