import { createHash } from 'node:crypto';

const pattern = /^[0-9a-f]{64}$/;

export const isSha256 = (text: string): boolean => pattern.test(text);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
