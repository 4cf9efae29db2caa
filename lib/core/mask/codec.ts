import { kernel, settle } from './kernel';
import { checkSize, type Mask, MaskError, type MaskErrorCode } from './mask';

/** Run lengths, background first: COCO's uncompressed `counts`. */
export function toCounts(mask: Mask): number[] {
  const counts = new Array<number>(mask.toggles.length);
  let before = 0;
  for (let i = 0; i < counts.length; i++) {
    const end = mask.toggles[i] as number;
    counts[i] = end - before;
    before = end;
  }
  return counts;
}

/** Reads COCO's uncompressed `counts`. Empty runs inside are legal there and do not change the pixels. */
export function fromCounts(counts: ArrayLike<number>, height: number, width: number): Mask {
  checkSize(height, width);
  const end = height * width;
  const positions = new Uint32Array(counts.length);
  let position = 0;
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] as number;
    if (!Number.isInteger(count) || count < 0)
      throw fault(i, `a run must be an integer of at least 0, got ${count}`, 'bad-counts');
    position += count;
    if (position > end) throw tooLong(i, i, position, height, width);
    positions[i] = position;
  }
  if (position !== end) throw tooShort(counts.length, position, height, width);
  return { height, width, toggles: settle(positions, positions.length, end) };
}

/** The string that a mask was read from: who writes it again need not code it. */
const stored = new WeakMap<Mask, string>();

/** COCO's compressed string. */
export function encodeCounts(mask: Mask): string {
  return stored.get(mask) ?? kernel().writeCounts(mask.toggles);
}

/**
 * A mask that is decoded when its pixels are first asked for: most passes over a dataset need names and sizes only. For
 * strings that `encodeCounts` wrote; those of strangers are to be refused when they come in.
 */
export function storedMask(counts: string, height: number, width: number): Mask {
  checkSize(height, width);
  let toggles: Mask['toggles'] | undefined;
  const mask: Mask = {
    height,
    width,
    get toggles() {
      toggles ??= decodeCounts(counts, height, width).toggles;
      return toggles;
    },
  };
  stored.set(mask, counts);
  return mask;
}

/** Reads COCO's compressed string; where it is broken, the error names the character. */
export function decodeCounts(counts: string, height: number, width: number): Mask {
  checkSize(height, width);
  const toggles = kernel().readCounts(counts, height * width);
  return toggles ? { height, width, toggles } : decodeWithCare(counts, height, width);
}

function decodeWithCare(counts: string, height: number, width: number): Mask {
  const end = height * width;
  const positions = new Uint32Array(counts.length);
  let runs = 0;
  let position = 0;
  let previous = 0;
  let beforePrevious = 0;
  for (let at = 0; at < counts.length; ) {
    const number = readNumber(counts, at);
    const run = runs > 2 ? number.value + beforePrevious : number.value;
    if (run < 0) throw fault(at, `run ${runs} is negative (${run})`, 'bad-counts');
    position += run;
    if (position > end) throw tooLong(at, runs, position, height, width);
    beforePrevious = previous;
    previous = run;
    positions[runs++] = position;
    at = number.next;
  }
  if (position !== end) throw tooShort(counts.length, position, height, width);
  return { height, width, toggles: settle(positions, runs, end) };
}

/** 5 bits per character, low first; bit 32 says that more follow, bit 16 of the last is the sign. */
function readNumber(counts: string, start: number): { value: number; next: number } {
  let value = 0;
  let weight = 1;
  for (let at = start; ; at++) {
    if (at === counts.length) throw fault(at, 'the string ends inside a number', 'bad-string');
    const group = counts.charCodeAt(at) - 48;
    if (group < 0 || group > 63)
      throw fault(at, `${JSON.stringify(counts[at])} is not a character from '0' to 'o'`, 'bad-string');
    if (at - start === 7) throw fault(start, 'a number is longer than 7 characters', 'bad-string');
    value += (group & 31) * weight;
    weight *= 32;
    if (!(group & 32)) return { value: group & 16 ? value - weight : value, next: at + 1 };
  }
}

function tooLong(at: number, run: number, reached: number, height: number, width: number): MaskError {
  return fault(
    at,
    `run ${run} reaches ${reached}, past the ${height * width} pixels of ${height}×${width}`,
    'bad-counts',
  );
}

function tooShort(at: number, sum: number, height: number, width: number): MaskError {
  return fault(
    at,
    `runs sum to ${sum}, not to the ${height * width} pixels of ${height}×${width}`,
    'bad-counts',
  );
}

function fault(at: number, problem: string, code: MaskErrorCode): MaskError {
  return new MaskError(code, `counts[${at}]`, problem);
}
