/** IEEE 754 half precision, which halves the size of stored embeddings. Node.js 20 has no Float16Array. */

const BASE = new Uint16Array(512);
const SHIFT = new Uint8Array(512);
/** Every half as a float: 256 kB, and a lookup is far faster than arithmetic. */
const FLOATS = new Float32Array(65_536);

for (let i = 0; i < 256; i++) {
  const exponent = i - 127;
  const [base, shift] =
    exponent < -24
      ? [0, 24]
      : exponent < -14
        ? [0x0400 >> (-exponent - 14), -exponent - 1]
        : exponent <= 15
          ? [(exponent + 15) << 10, 13]
          : [0x7c00, i === 255 ? 13 : 24];
  BASE[i] = base as number;
  BASE[i | 256] = (base as number) | 0x8000;
  SHIFT[i] = SHIFT[i | 256] = shift as number;
}

for (let half = 0; half < FLOATS.length; half++) {
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  const magnitude =
    exponent === 31
      ? fraction === 0
        ? Number.POSITIVE_INFINITY
        : Number.NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  FLOATS[half] = half & 0x8000 ? -magnitude : magnitude;
}

/** Rounds to the nearest half: relative errors of at most 1/2,048. */
export function toHalf(values: Float32Array): Uint16Array {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  const halves = new Uint16Array(values.length);
  for (let i = 0; i < bits.length; i++) {
    // Half of the last bit that stays; a carry goes on into the exponent, as it should.
    const value = ((bits[i] as number) + 0x1000) >>> 0;
    const top = value >>> 23;
    halves[i] = (BASE[top] as number) + ((value & 0x7fffff) >> (SHIFT[top] as number));
  }
  return halves;
}

export function fromHalf(halves: Uint16Array): Float32Array {
  const values = new Float32Array(halves.length);
  for (let i = 0; i < values.length; i++) values[i] = FLOATS[halves[i] as number] as number;
  return values;
}
