import { randomBytes } from 'node:crypto';

interface Place {
  ms: number;
  place: number;
}

/** Of the last id that this process made now, and of the last for a moment that the caller gave. */
let newest: Place = { ms: 0, place: 0 };
let given: Place = { ms: 0, place: 0 };
const LAST_PLACE = 0xfff;

/**
 * UUIDv7 (RFC 9562): 48 bits of milliseconds, 12 of a place among those of the same millisecond, 62 random bits.
 * Time-ordered, so that B-tree inserts stay at the right edge and keyset pages follow creation order;
 * the random tail keeps ids unguessable.
 *
 * The newest row of several is the one with the highest id, so ids of one process keep rising when its clock is set
 * back (RFC 9562, section 6.2): a withdrawal must not sort before the consent it ends.
 */
export function newId(moment?: number): string {
  const bytes = randomBytes(16);
  const first = bytes.readUInt16BE(6) & 0x7ff;
  let at: Place;
  if (moment === undefined) newest = at = rising(newest, Date.now(), first);
  else given = at = following(given, moment, first);
  bytes.writeUIntBE(at.ms, 0, 6);
  bytes.writeUInt16BE(0x7000 | at.place, 6);
  bytes[8] = 0x80 | ((bytes[8] as number) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A millisecond that has no place left gives way to the next. */
function rising(last: Place, now: number, first: number): Place {
  const isFull = last.place === LAST_PLACE;
  return following(last, Math.max(now, isFull ? last.ms + 1 : last.ms), first);
}

const following = (last: Place, ms: number, first: number): Place => ({
  ms,
  place: ms === last.ms ? Math.min(last.place + 1, LAST_PLACE) : first,
});

/** Ids made at this moment or later are not below it: a range of an index over ids is a range of time. */
export function firstIdAt(moment: number): string {
  const hex = Math.max(0, Math.floor(moment)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
