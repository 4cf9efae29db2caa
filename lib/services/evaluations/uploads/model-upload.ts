import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '@/db';
import { modelKinds } from '@/db/schema';
import { readConfig } from '@/lib/config';
import { invalid, TesseraError } from '@/lib/core/errors';
import { WrittenContract } from '@/lib/core/robustness/onnx/contract';
import { MAX_MODEL_BYTES, requireModelSize } from '@/lib/core/robustness/onnx/read-model';
import { type ByteSource, isSha256, putBlob, type Storage } from '@/lib/services/storage';

/** What a further file of a model is, and the name it is kept under. */
export const fileKinds = {
  model: 'model.onnx',
  gradient: 'model.grad.onnx',
  words: 'words.json',
  encoder: 'encoder.onnx',
} as const;
export type FileKind = keyof typeof fileKinds;

/** A model that was made elsewhere. `F` is what stands for a file: a receipt, or its sha256. */
const fieldsOf = <F extends z.ZodType>(file: F) =>
  z.strictObject({
    name: z.string().trim().min(1).max(120),
    kind: z.enum(modelKinds).default('classifier'),
    files: z.strictObject({
      model: file,
      /** Of a classifier: the graph with its gradient, as the trainer writes it. */
      gradient: file.optional(),
      /** Of an oracle: an embedding of each class's name, `.npy` or JSON. */
      words: file.optional(),
      /** Of a decoder: what finds the place of a picture. */
      encoder: file.optional(),
    }),
    contract: WrittenContract,
    /** It is meant to know other classes than the schema: only images of common ones are asked about. */
    otherClasses: z.boolean().default(false),
    /** Check only; nothing is entered. */
    onlyCheck: z.boolean().default(false),
  });

/** As the API takes it: files that were sent before, each by its receipt. */
export const ModelUpload = fieldsOf(z.string().max(500));
export type ModelUpload = z.infer<typeof ModelUpload>;

/** As it is checked and entered: files by their sha256. */
export const NewModel = fieldsOf(z.string().regex(/^[0-9a-f]{64}$/));
export type NewModel = z.infer<typeof NewModel>;

/** Less than the collector leaves a blob that nothing refers to. */
const RECEIPT_TTL_S = 12 * 60 * 60;

/**
 * That a file was sent to a project. A hash alone would not do: whoever knows that of a file of another project could
 * enter it here, and read it.
 */
export function createReceipt(projectId: string, sha256: string, now = new Date()): string {
  const until = Math.floor(now.getTime() / 1000) + RECEIPT_TTL_S;
  return `${sha256}.${until}.${signature(projectId, sha256, until)}`;
}

/** The hash that a receipt stands for. */
export function verifyReceipt(projectId: string, receipt: string, now = new Date()): string {
  const [sha256 = '', until = '', given = ''] = receipt.split('.');
  const right = Buffer.from(signature(projectId, sha256, Number(until)));
  const shown = Buffer.from(given);
  const isOurs = isSha256(sha256) && shown.length === right.length && timingSafeEqual(shown, right);
  if (!isOurs || Number(until) * 1000 <= now.getTime())
    throw invalid(
      'A file is not known by this receipt, or it is older than twelve hours. Send the file again.',
    );
  return sha256;
}

function signature(projectId: string, sha256: string, until: number): string {
  const secret = readConfig().TESSERA_SECRET;
  if (!secret)
    throw new TesseraError('unavailable', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  // The purpose is part of what is signed: a signature made for something else is none here.
  return createHmac('sha256', secret)
    .update(`model file\n${projectId}\n${sha256}\n${until}`)
    .digest('base64url');
}

/** Keeps a file of a model, piece by piece as it comes. What is too large is refused before it is read, or on the way. */
export async function storeModelFile(
  db: Db,
  storage: Storage,
  source: ByteSource,
  /** What the sender says; believed only when it is too much. */
  contentLength?: number,
): Promise<{ sha256: string; bytes: number }> {
  requireModelSize(contentLength ?? 0);
  const kept = await putBlob(db, storage, source, {
    mediaType: 'application/octet-stream',
    maxBytes: MAX_MODEL_BYTES,
  });
  if (kept.bytes === 0)
    throw new TesseraError('invalid', 'The file is empty. Send the ONNX file as the body of the request.');
  return kept;
}
