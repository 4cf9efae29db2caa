import { concatBytes } from './bytes';
import { BitWriter, END, lengthSymbol, MAX_MATCH, MIN_MATCH, SYMBOLS, writeBlock } from './deflate-block';

/**
 * A zlib stream for masks and label maps, which are long runs of one byte. Several times faster than zlib, and the same
 * bytes on every machine, which zlib does not promise.
 */
export function deflateRuns(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const deflater = new RunDeflater(bytes.length >> 4);
  // Four bytes at a time where they are aligned: most of a mask is one long run.
  const { buffer, byteOffset, length } = bytes;
  const words = byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >> 2) : new Uint32Array();
  for (let at = 0; at < length; ) {
    const byte = bytes[at] as number;
    let end = at + 1;
    while (end < length && bytes[end] === byte && (end & 3) !== 0) end++;
    if ((end & 3) === 0) {
      const four = (byte * 0x01010101) >>> 0;
      let word = end >> 2;
      while (word < words.length && words[word] === four) word++;
      end = Math.max(end, word << 2);
    }
    while (end < length && bytes[end] === byte) end++;
    if (end - at > 3) deflater.repeat(byte, end - at);
    else for (let i = at; i < end; i++) deflater.byte(byte);
    at = end;
  }
  return deflater.end();
}

/** Room for tokens to begin with: most masks need no more. */
const INITIAL_TOKENS = 1 << 10;
/** Tokens of a block: enough that its code pays for itself, few enough that the code fits what comes. */
const BLOCK_TOKENS = 1 << 15;
const ADLER = 65521;
/** The high sum is brought back below ADLER only now and then: a remainder takes longer than the rest. Still exact. */
const MAX_SUM = 2 ** 50;

/**
 * A zlib stream of bytes that mostly repeat: a match is always a repetition of the byte before it. Whoever knows the runs
 * says them (`repeat`) and nobody looks at each byte, not even for the checksum.
 */
export class RunDeflater {
  readonly #bits: BitWriter;
  /** A token is a byte, or 256 + the length of a match. */
  #tokens = new Uint16Array(INITIAL_TOKENS);
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
    if (this.#high > MAX_SUM) this.#high %= ADLER;
  }

  /** The same byte `count` times. */
  repeat(value: number, count: number): void {
    let left = count;
    if (left > 0 && this.#last !== value) {
      this.#literal(value);
      left -= 1;
    }
    while (left >= MIN_MATCH) {
      // What is left over must not be too short to be a match.
      const length =
        left > MAX_MATCH && left - MAX_MATCH < MIN_MATCH ? left - MIN_MATCH : Math.min(left, MAX_MATCH);
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
    if (this.#high > MAX_SUM) this.#high %= ADLER;
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
    if (this.#used === BLOCK_TOKENS) {
      this.#block(false);
      return;
    }
    const bigger = new Uint16Array(Math.min(BLOCK_TOKENS, 4 * this.#tokens.length));
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

/** What a zlib stream holds. More than `limit` bytes is refused as soon as it shows, not after. */
export async function inflate(bytes: Uint8Array, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new DecompressionStream('deflate');
  const writer = stream.writable.getWriter();
  // A broken stream is reported by the reading side; here it must only not go unheard.
  const fed = writer.write(new Uint8Array(bytes)).then(() => writer.close());
  fed.catch(() => undefined);
  const reader = stream.readable.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Error('the compressed data is broken');
    });
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      throw new Error(`the compressed data holds more than the ${limit} bytes that it should`);
    }
    pieces.push(value);
  }
  return concatBytes(pieces);
}
