import { fromBitmap, type Mask, rowToggles } from '@/lib/core/mask';

/**
 * Label Studio's brush: runs of RGBA samples, row by row, packed into bits. A header (32 bits: how many samples; 5:
 * bits per sample − 1; four times 4: widths of the four kinds of run length − 1), then blocks (1 bit: a run or single
 * samples; 2: which width; the length − 1; the sample, or the samples).
 */
const SAMPLE_BITS = 8;
const LENGTH_BITS = [3, 4, 8, 16] as const;
const MAX_RUN = 65_536;
const HEADER_BITS = 32 + 5 + 16;
const CHANNELS = 4;

/** Bits, the highest of a byte first. */
class Bits {
  readonly bytes: Uint8Array<ArrayBuffer>;
  #used = 0;
  #held = 0;
  #waiting = 0;

  constructor(most: number) {
    this.bytes = new Uint8Array(most);
  }

  /** At most 24 bits at once. */
  write(value: number, bits: number): void {
    this.#held = (this.#held << bits) | value;
    this.#waiting += bits;
    while (this.#waiting >= 8) {
      this.#waiting -= 8;
      this.bytes[this.#used++] = this.#held >>> this.#waiting;
    }
    this.#held &= (1 << this.#waiting) - 1;
  }

  /** Fills the last byte with zeros. */
  end(): Uint8Array<ArrayBuffer> {
    if (this.#waiting > 0) this.write(0, 8 - this.#waiting);
    return this.bytes.subarray(0, this.#used);
  }
}

/** Of a block for a run: one bit, two bits, the longest length, the sample. */
const MAX_BLOCK_BITS = 1 + 2 + LENGTH_BITS[3] + SAMPLE_BITS;

export function encodeBrush(mask: Mask): Uint8Array<ArrayBuffer> {
  const toggles = rowToggles(mask);
  const samples = mask.height * mask.width * CHANNELS;
  const blocks = toggles.length + Math.ceil(samples / MAX_RUN);
  const bits = new Bits(Math.ceil((HEADER_BITS + blocks * MAX_BLOCK_BITS) / 8));
  bits.write(samples >>> 16, 16);
  bits.write(samples & 0xffff, 16);
  bits.write(SAMPLE_BITS - 1, 5);
  for (const width of LENGTH_BITS) bits.write(width - 1, 4);
  let before = 0;
  for (let i = 0; i < toggles.length; i++) {
    const end = toggles[i] as number;
    for (let left = (end - before) * CHANNELS; left > 0; left -= MAX_RUN) {
      const length = Math.min(left, MAX_RUN);
      const kind = length <= 8 ? 0 : length <= 16 ? 1 : length <= 256 ? 2 : 3;
      // A run, and which width its length has.
      bits.write(4 | kind, 3);
      bits.write(length - 1, LENGTH_BITS[kind] as number);
      bits.write(i & 1 ? 255 : 0, SAMPLE_BITS);
    }
    before = end;
  }
  return bits.end();
}

/** The alpha channel is the mask. The size is that of the task, never what the header claims. */
export function decodeBrush(bytes: readonly unknown[], height: number, width: number): Mask {
  const total = height * width * CHANNELS;
  let at = 0;
  const read = (bits: number): number => {
    if (at + bits > bytes.length * 8) throw new Error('has brush runs that are cut off');
    let value = 0;
    for (let i = 0; i < bits; i++, at++)
      value = value * 2 + (((bytes[at >> 3] as number) >> (7 - (at & 7))) & 1);
    return value;
  };
  if (bytes.some((byte) => !(Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) < 256)))
    throw new Error('has brush runs that are no bytes');
  if (bytes.length * 8 < HEADER_BITS || read(32) !== total)
    throw new Error('has brush runs of another size than its image');
  const sampleBits = read(5) + 1;
  const lengthBits = LENGTH_BITS.map(() => read(4) + 1);
  const bitmap = new Uint8Array(height * width);
  const half = 2 ** (sampleBits - 1);
  for (let sample = 0; sample < total; ) {
    const isRun = read(1) === 1;
    const end = sample + read(lengthBits[read(2)] as number) + 1;
    if (end > total) throw new Error('has brush runs that do not add up to the pixels of the image');
    const value = isRun ? read(sampleBits) : 0;
    for (; sample < end; sample++) {
      const each = isRun ? value : read(sampleBits);
      if (sample % CHANNELS === CHANNELS - 1 && each >= half) bitmap[sample >> 2] = 1;
    }
  }
  return fromBitmap(bitmap, height, width);
}
