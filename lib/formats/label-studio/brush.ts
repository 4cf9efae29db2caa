import { fromBitmap, type Mask, toBitmap } from '@/lib/mask';

/**
 * Label Studio's brush: runs of RGBA samples, row by row, packed into bits. A header (32 bits: how many samples; 5:
 * bits per sample − 1; four times 4: widths of the four kinds of run length − 1), then blocks (1 bit: a run or single
 * samples; 2: which width; the length − 1; the sample, or the samples).
 */
const SAMPLE_BITS = 8;
const LENGTH_BITS = [3, 4, 8, 16] as const;
const LONGEST_RUN = 65_536;
const HEADER_BITS = 32 + 5 + 16;
const CHANNELS = 4;

class Bits {
  readonly bytes: number[] = [];
  #filled = 0;

  write(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      if (this.#filled % 8 === 0) this.bytes.push(0);
      if ((value >>> bit) & 1) {
        const last = this.bytes.length - 1;
        this.bytes[last] = (this.bytes[last] as number) | (128 >> (this.#filled % 8));
      }
      this.#filled += 1;
    }
  }
}

export function encodeBrush(mask: Mask): number[] {
  const pixels = toBitmap(mask);
  const bits = new Bits();
  bits.write(pixels.length * CHANNELS, 32);
  bits.write(SAMPLE_BITS - 1, 5);
  for (const width of LENGTH_BITS) bits.write(width - 1, 4);
  for (let at = 0; at < pixels.length; ) {
    const value = pixels[at];
    const from = at;
    while (at < pixels.length && pixels[at] === value) at++;
    for (let left = (at - from) * CHANNELS; left > 0; left -= LONGEST_RUN) {
      const length = Math.min(left, LONGEST_RUN);
      const kind = LENGTH_BITS.findIndex((width) => length <= 2 ** width);
      bits.write(1, 1);
      bits.write(kind, 2);
      bits.write(length - 1, LENGTH_BITS[kind] as number);
      bits.write(value ? 255 : 0, SAMPLE_BITS);
    }
  }
  return bits.bytes;
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
