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
