import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '@/db';
import { modelKinds } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { invalid, TesseraError } from '@/lib/core/errors';
import { WrittenContract } from '@/lib/core/robustness/onnx/contract';
import { MAX_MODEL_BYTES, requireModelSize } from '@/lib/core/robustness/onnx/read-model';
import { type ByteSource, isSha256, putBlob, type Storage } from '@/lib/services/storage';

/** Roles of model files with their stored names. */
export const fileKinds = {
  model: 'model.onnx',
  gradient: 'model.grad.onnx',
  words: 'words.json',
  encoder: 'encoder.onnx',
} as const;
export type FileKind = keyof typeof fileKinds;

/** Fields of an uploaded model. `file` is the schema of a file reference: a receipt or a sha256. */
const fieldsOf = <F extends z.ZodType>(file: F) =>
  z.strictObject({
    name: z.string().trim().min(1).max(120),
    kind: z.enum(modelKinds).default('classifier'),
    files: z.strictObject({
      model: file,
      /** Classifier: gradient graph as exported by the trainer. */
      gradient: file.optional(),
      /** Oracle: word embeddings of the classes, `.npy` or JSON. */
      words: file.optional(),
      /** Decoder: its encoder. */
      encoder: file.optional(),
    }),
    contract: WrittenContract,
    /** The classes can differ from the schema; only images of common classes are evaluated. */
    otherClasses: z.boolean().default(false),
    /** Check only; nothing is entered. */
    onlyCheck: z.boolean().default(false),
  });

/** API input: files are uploaded before and referenced by receipts. */
export const ModelUpload = fieldsOf(z.string().max(500));
export type ModelUpload = z.infer<typeof ModelUpload>;

/** Job input: files are referenced by sha256. */
export const NewModel = fieldsOf(z.string().regex(/^[0-9a-f]{64}$/));
export type NewModel = z.infer<typeof NewModel>;

/** Shorter than the grace period of the blob collector. */
const RECEIPT_TTL_S = 12 * 60 * 60;

/**
 * Creates a receipt that proves that a file was uploaded to a project. With a bare hash, a user could register and read a
 * file of another project.
 */
export function createReceipt(projectId: string, sha256: string, now = new Date()): string {
  const until = Math.floor(now.getTime() / 1000) + RECEIPT_TTL_S;
  return `${sha256}.${until}.${signature(projectId, sha256, until)}`;
}

/** Verifies a receipt and returns the hash of its file. */
export function verifyReceipt(projectId: string, receipt: string, now = new Date()): string {
  const [sha256 = '', until = '', given = ''] = receipt.split('.');
  const right = Buffer.from(signature(projectId, sha256, Number(until)));
  const shown = Buffer.from(given);
  const isOurs = isSha256(sha256) && shown.length === right.length && timingSafeEqual(shown, right);
  if (!isOurs || Number(until) * 1000 <= now.getTime())
    throw invalid('The receipt of a file is invalid or older than twelve hours. Upload the file again.');
  return sha256;
}

function signature(projectId: string, sha256: string, until: number): string {
  const secret = readConfig().TESSERA_SECRET;
  if (!secret)
    throw new TesseraError('unavailable', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  // The signed text includes the purpose, so that other signatures are not valid here.
  return createHmac('sha256', secret)
    .update(`model file\n${projectId}\n${sha256}\n${until}`)
    .digest('base64url');
}

/** Stores a model file while it is streamed. Files over the limit are rejected as early as possible. */
export async function storeModelFile(
  db: Db,
  storage: Storage,
  source: ByteSource,
  /** Declared length; used only to reject early. */
  contentLength?: number,
): Promise<{ sha256: string; bytes: number }> {
  requireModelSize(contentLength ?? 0);
  const kept = await putBlob(db, storage, source, {
    mediaType: 'application/octet-stream',
    maxBytes: MAX_MODEL_BYTES,
  });
  if (kept.bytes === 0)
    throw new TesseraError('invalid', 'The file is empty. Send the ONNX file as the request body.');
  return kept;
}
