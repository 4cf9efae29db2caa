import { Readable } from 'node:stream';

type Reader = ReadableStreamDefaultReader<Uint8Array>;

const opened = new WeakMap<Request, Readable>();

/** The body for those who read it piece by piece. */
export function bodyStream(request: Request): Readable {
  if (!request.body) return Readable.from([]);
  const reader: Reader = request.body.getReader();
  const stream = new Readable({
    read() {
      reader.read().then(
        ({ done, value }) => stream.push(done ? null : value),
        (error) => stream.destroy(error),
      );
    },
    destroy(error, done) {
      void letPass(reader);
      done(error);
    },
  });
  opened.set(request, stream);
  return stream;
}

/** Called when a request is answered: what was not read of its body will not be any more. */
export const endBody = (request: Request): void => void opened.get(request)?.destroy();

/** Of a body that nobody wants, so much is read; who sends more has to see for themselves. */
const PATIENT_BYTES = 64_000_000;

/**
 * Reads what nobody wants. A body that was begun and then left alone, or cancelled, stays in the connection, and the next
 * request that is sent over it is never answered.
 */
export async function letPass(reader: Reader): Promise<void> {
  try {
    let left = PATIENT_BYTES;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      left -= piece.value.byteLength;
      if (left < 0) return await reader.cancel();
    }
  } catch {
    // Whoever sent it is gone.
  }
}
