import { BitWriter } from './bit-writer';
import { END, LONGEST, lengthSymbol, SHORTEST, SYMBOLS, writeBlock } from './deflate-block';

/** Room for tokens to begin with: most masks need no more. */
const ROOM = 1 << 10;
/** Tokens of a block: enough that its code pays for itself, few enough that the code fits what comes. */
const BLOCK = 1 << 15;
const ADLER = 65521;
/** The high sum is brought back below ADLER only now and then: a remainder takes longer than the rest. Still exact. */
const MOST_SUM = 2 ** 50;

/**
 * A zlib stream of bytes that mostly repeat: a match is always a repetition of the byte before it. Whoever knows the runs
 * says them (`repeat`) and nobody looks at each byte, not even for the checksum.
 */
export class RunDeflater {
  readonly #bits: BitWriter;
  /** A token is a byte, or 256 + the length of a match. */
  #tokens = new Uint16Array(ROOM);
  readonly #counts = new Uint32Array(SYMBOLS);
  #used = 0;
  #last = -1;
  #low = 1;
  #high = 0;

  constructor(expected: number) {
    this.#bits = new BitWriter(expected);
    this.#bits.write(0x78, 8);
    this.#bits.write(0x01, 8);
  }

  byte(value: number): void {
    this.#literal(value);
    this.#low += value;
    if (this.#low >= ADLER) this.#low -= ADLER;
    this.#high += this.#low;
    if (this.#high > MOST_SUM) this.#high %= ADLER;
  }

  /** The same byte `count` times. */
  repeat(value: number, count: number): void {
    let left = count;
    if (left > 0 && this.#last !== value) {
      this.#literal(value);
      left -= 1;
    }
    while (left >= SHORTEST) {
      // What is left over must not be too short to be a match.
      const length = left > LONGEST && left - LONGEST < SHORTEST ? left - SHORTEST : Math.min(left, LONGEST);
      this.#token(256 + length, lengthSymbol[length] as number);
      left -= length;
    }
    for (; left > 0; left--) this.#literal(value);
    // Each of the bytes adds to the low sum, and the low sum after it to the high one.
    this.#high += (count % ADLER) * this.#low;
    if (value !== 0) {
      const triangle = ((count * (count + 1)) / 2) % ADLER;
      this.#high += value * triangle;
      this.#low = (this.#low + value * (count % ADLER)) % ADLER;
    }
    if (this.#high > MOST_SUM) this.#high %= ADLER;
  }

  end(): Uint8Array<ArrayBuffer> {
    this.#block(true);
    const high = this.#high % ADLER;
    const low = this.#low;
    return this.#bits.end(high >>> 8, high & 255, low >>> 8, low & 255);
  }

  #literal(value: number): void {
    this.#token(value, value);
    this.#last = value;
  }

  #token(token: number, symbol: number): void {
    if (this.#used === this.#tokens.length) this.#makeRoom();
    this.#tokens[this.#used++] = token;
    this.#counts[symbol] = (this.#counts[symbol] as number) + 1;
  }

  #makeRoom(): void {
    if (this.#used === BLOCK) {
      this.#block(false);
      return;
    }
    const bigger = new Uint16Array(Math.min(BLOCK, 4 * this.#tokens.length));
    bigger.set(this.#tokens);
    this.#tokens = bigger;
  }

  #block(isLast: boolean): void {
    this.#counts[END] = 1;
    writeBlock(this.#bits, this.#tokens.subarray(0, this.#used), this.#counts, isLast);
    this.#counts.fill(0);
    this.#used = 0;
  }
}
