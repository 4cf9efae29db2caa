/** Bits, the lowest of a byte first, into bytes that grow as needed. */
export class BitWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #count = 0;
  #held = 0;
  #bits = 0;

  constructor(expected: number) {
    this.#bytes = new Uint8Array(Math.max(64, expected));
  }

  /** At most 24 bits at once. */
  write(value: number, bits: number): void {
    this.#held |= value << this.#bits;
    this.#bits += bits;
    if (this.#bits < 8) return;
    if (this.#count + 4 > this.#bytes.length) this.#grow();
    do {
      this.#bytes[this.#count++] = this.#held;
      this.#held >>>= 8;
      this.#bits -= 8;
    } while (this.#bits >= 8);
  }

  /** Fills the last byte with zeros and adds whole bytes. */
  end(...tail: number[]): Uint8Array<ArrayBuffer> {
    if (this.#bits > 0) this.write(0, 8 - this.#bits);
    if (this.#count + tail.length > this.#bytes.length) this.#grow();
    for (const byte of tail) this.#bytes[this.#count++] = byte;
    return this.#bytes.slice(0, this.#count);
  }

  #grow(): void {
    const bigger = new Uint8Array(2 * this.#bytes.length);
    bigger.set(this.#bytes);
    this.#bytes = bigger;
  }
}
