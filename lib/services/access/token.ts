import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits: guessing one is hopeless, so a plain hash is enough to store it by. */
export const newToken = (prefix = ''): string => prefix + randomBytes(32).toString('base64url');

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
