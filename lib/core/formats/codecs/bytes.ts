export function concatBytes(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const PAD = 61;
const codes = Uint8Array.from(LETTERS, (letter) => letter.charCodeAt(0));
const NO_LETTER = 255;
const values = new Uint8Array(128).fill(NO_LETTER);
codes.forEach((code, value) => {
  values[code] = value;
});

const ascii = new TextDecoder('latin1');

/** Without line breaks, padded. */
export function toBase64(bytes: Uint8Array): string {
  const text = new Uint8Array(4 * Math.ceil(bytes.length / 3));
  let at = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i;
    const group =
      ((bytes[i] as number) << 16) | ((left > 1 ? (bytes[i + 1] as number) : 0) << 8) | (bytes[i + 2] ?? 0);
    text[at++] = codes[group >> 18] as number;
    text[at++] = codes[(group >> 12) & 63] as number;
    text[at++] = left > 1 ? (codes[(group >> 6) & 63] as number) : PAD;
    text[at++] = left > 2 ? (codes[group & 63] as number) : PAD;
  }
  return ascii.decode(text);
}

/** Line breaks and missing padding are forgiven, other letters are not. */
export function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let count = 0;
  let bits = 0;
  let buffer = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === PAD || code === 10 || code === 13) continue;
    const value = code < 128 ? (values[code] as number) : NO_LETTER;
    if (value === NO_LETTER) throw new Error(`"${text.charAt(i)}" at ${i} is no letter of base64`);
    buffer = ((buffer << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[count++] = (buffer >> bits) & 255;
    }
  }
  return bytes.subarray(0, count);
}

/** The polynomial of zip and PNG, bits reversed. */
const POLYNOMIAL = 0xedb88320;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ POLYNOMIAL : rest >>> 1;
  return rest;
});

/** Checksum of zip and PNG. Give the last result as `before` to go on with the next piece. */
export function crc32(bytes: Uint8Array, before = 0): number {
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++)
    crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] as number)) & 255] as number);
  return ~crc >>> 0;
}

const encoder = new TextEncoder();
const ZERO = 48;
/** Shorter texts than this are copied letter by letter: a call of the encoder costs more. */
const SHORT = 24;

/**
 * Text as the bytes that go into a file. Numbers become digits in place: lists of millions of coordinates would
 * otherwise be as many small strings.
 */
export class Utf8Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #used = 0;

  constructor(expected = 4096) {
    this.#bytes = new Uint8Array(expected);
  }

  get length(): number {
    return this.#used;
  }

  text(text: string): this {
    this.#reserve(3 * text.length);
    if (text.length < SHORT && this.#plain(text)) return this;
    this.#used += encoder.encodeInto(text, this.#bytes.subarray(this.#used)).written;
    return this;
  }

  /** A whole number from 0 to 2^32 − 1. */
  integer(value: number): this {
    this.#reserve(10);
    let digits = 1;
    for (let limit = 10; limit <= value; limit *= 10) digits++;
    let rest = value;
    for (let at = this.#used + digits - 1; at >= this.#used; at--) {
      const tens = Math.floor(rest / 10);
      this.#bytes[at] = ZERO + rest - 10 * tens;
      rest = tens;
    }
    this.#used += digits;
    return this;
  }

  byte(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#used++] = value;
    return this;
  }

  /** A few bytes of others. */
  part(source: Uint8Array, from: number, to: number): this {
    this.#reserve(to - from);
    for (let at = from; at < to; at++) this.#bytes[this.#used++] = source[at] as number;
    return this;
  }

  /** What was written since the last time. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = this.#bytes.slice(0, this.#used);
    this.#used = 0;
    return taken;
  }

  /** False, and nothing is kept, where a letter takes more than a byte. */
  #plain(text: string): boolean {
    const start = this.#used;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return false;
      this.#bytes[start + i] = code;
    }
    this.#used = start + text.length;
    return true;
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.#bytes.length) return;
    const bigger = new Uint8Array(2 * (this.#used + more));
    bigger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = bigger;
  }
}
