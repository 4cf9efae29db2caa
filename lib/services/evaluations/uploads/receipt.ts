import { createHmac, timingSafeEqual } from 'node:crypto';
import { readConfig } from '@/lib/config';
import { invalid, TesseraError } from '@/lib/core/errors';
import { isSha256 } from '@/lib/services/storage';

/** Less than the collector leaves a blob that nothing refers to. */
const GOOD_FOR_S = 12 * 60 * 60;

/**
 * That a file was sent to a project. A hash alone would not do: whoever knows that of a file of another project could
 * enter it here, and read it.
 */
export function receiptOf(projectId: string, sha256: string, now = new Date()): string {
  const until = Math.floor(now.getTime() / 1000) + GOOD_FOR_S;
  return `${sha256}.${until}.${signature(projectId, sha256, until)}`;
}

/** The hash that a receipt stands for. */
export function readReceipt(projectId: string, receipt: string, now = new Date()): string {
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
