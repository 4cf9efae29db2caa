import type { Db } from '@/db';
import { TesseraError } from '@/lib/core/errors';
import { MOST_MODEL_BYTES, refuseLarge } from '@/lib/core/robustness/onnx/read-model';
import { type ByteSource, putBlob, type Storage } from '@/lib/services/storage';

/** Keeps a file of a model, piece by piece as it comes. What is too large is refused before it is read, or on the way. */
export async function keepModelFile(
  db: Db,
  storage: Storage,
  source: ByteSource,
  /** What the sender says; believed only when it is too much. */
  contentLength?: number,
): Promise<{ sha256: string; bytes: number }> {
  refuseLarge(contentLength ?? 0);
  const kept = await putBlob(db, storage, source, {
    mediaType: 'application/octet-stream',
    maxBytes: MOST_MODEL_BYTES,
  });
  if (kept.bytes === 0)
    throw new TesseraError('invalid', 'The file is empty. Send the ONNX file as the body of the request.');
  return kept;
}
