import type { Toggles } from './kernel';

let letters = new Uint8Array(1 << 12);
const latin1 = new TextDecoder('latin1');

/** Runs, from the fourth on as differences to the run two before, in groups of 5 bits, low first. */
export function writeCounts(toggles: Toggles): string {
  // A difference of two runs is under 2^30: seven groups hold it with its sign.
  if (letters.length < toggles.length * 7) letters = new Uint8Array(toggles.length * 14);
  const out = letters;
  let length = 0;
  let before = 0;
  let previous = 0;
  let beforePrevious = 0;
  for (let i = 0; i < toggles.length; i++) {
    const end = toggles[i] as number;
    const run = end - before;
    before = end;
    let value = i > 2 ? run - beforePrevious : run;
    beforePrevious = previous;
    previous = run;
    while (value > 15 || value < -16) {
      out[length++] = (value & 31) + 80;
      value >>= 5;
    }
    out[length++] = (value & 31) + 48;
  }
  return latin1.decode(out.subarray(0, length));
}

/** Six groups hold every run of a legal mask; a longer number is left to the reader that names faults. */
const MAX_SHIFT = 25;

export function readCounts(text: string, end: number): Uint32Array | undefined {
  const toggles = new Uint32Array(text.length);
  let runs = 0;
  let position = 0;
  let previous = 0;
  let beforePrevious = 0;
  for (let at = 0; at < text.length; ) {
    let value = 0;
    let shift = 0;
    let group = 32;
    while (group & 32) {
      group = at < text.length ? text.charCodeAt(at++) - 48 : -1;
      if (group < 0 || group > 63 || shift > MAX_SHIFT) return undefined;
      value |= (group & 31) << shift;
      shift += 5;
    }
    if (group & 16) value |= -1 << shift;
    if (runs > 2) value += beforePrevious;
    if (value < 0 || (value === 0 && runs > 0)) return undefined;
    position += value;
    if (position > end) return undefined;
    beforePrevious = previous;
    previous = value;
    toggles[runs++] = position;
  }
  return position === end ? toggles.slice(0, runs) : undefined;
}
