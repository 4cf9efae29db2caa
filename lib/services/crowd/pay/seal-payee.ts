import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { readConfig } from '@/lib/config';
import { TesseraError } from '@/lib/core/errors';
import { PayeeDetails } from '@/lib/core/payee';

/** Whose details they are. Part of the seal: a row that is copied to another worker or project does not open. */
export interface PayeePlace {
  projectId: string;
  workerId: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

/** Encrypts payee details: AES-256-GCM under a key that HKDF makes from the secret of the instance. */
export function sealPayee(place: PayeePlace, details: PayeeDetails, secret = ownSecret()): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce).setAAD(contextOf(place));
  const text = Buffer.concat([cipher.update(JSON.stringify(details), 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
}

/** Null if they were sealed with another secret or for another place, or are damaged. */
export function openPayee(place: PayeePlace, sealed: string, secret = ownSecret()): PayeeDetails | null {
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (!sealed.startsWith(VERSION) || bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(contextOf(place))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
    return PayeeDetails.parse(JSON.parse(text.toString('utf8')));
  } catch {
    return null;
  }
}

const contextOf = ({ projectId, workerId }: PayeePlace) => Buffer.from(`payee\n${projectId}\n${workerId}`);

const keyOf = (secret: string) =>
  Buffer.from(hkdfSync('sha256', secret, '', 'tessera payee details, version 1', 32));

let remembered: string | undefined;

function ownSecret(): string {
  remembered ??= readConfig().TESSERA_SECRET;
  if (!remembered)
    throw new TesseraError('unavailable', 'TESSERA_SECRET is not set: start Tessera with `npm start`.');
  return remembered;
}
