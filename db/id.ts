import { randomBytes } from 'node:crypto';

/** Of the last id that this process made. */
let last = { ms: 0, place: 0 };
const LAST_PLACE = 0xfff;

/**
 * UUIDv7 (RFC 9562): 48 bits of milliseconds, 12 of a place among those of the same millisecond, 62 random bits.
 * Time-ordered, so that B-tree inserts stay at the right edge and keyset pages follow creation order;
 * the random tail keeps ids unguessable.
 */
export function newId(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  const first = bytes.readUInt16BE(6) & 0x7ff;
  last = { ms: now, place: now === last.ms ? Math.min(last.place + 1, LAST_PLACE) : first };
  bytes.writeUInt16BE(0x7000 | last.place, 6);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Ids made at this moment or later are not below it: a range of an index over ids is a range of time. */
export function firstIdAt(moment: number): string {
  const hex = Math.max(0, Math.floor(moment)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
