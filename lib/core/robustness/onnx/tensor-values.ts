import type { OnnxTensor } from './read-model';
import { fields, numbersOf } from './wire';

const FLOAT32 = 1;
const INT64 = 7;
const FLOAT64 = 11;

/** The numbers of a small tensor; null of a kind that is not read, or where they are not as many as it says. */
export function tensorValues(bytes: Uint8Array, tensor: OnnxTensor): Float64Array | null {
  const count = tensor.dims.reduce((product, side) => product * side, 1);
  if (tensor.isExternal || !Number.isSafeInteger(count) || count < 0) return null;
  const { type, field } = tensor;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = type === FLOAT32 ? 4 : 8;
  const read = (at: number) =>
    type === FLOAT32
      ? view.getFloat32(at, true)
      : type === FLOAT64
        ? view.getFloat64(at, true)
        : Number(view.getBigInt64(at, true));
  if (type !== FLOAT32 && type !== FLOAT64 && type !== INT64) return null;
  // What is not there cannot be asked for by a large count.
  if (count > field.end - field.from) return null;
  const values = new Float64Array(count);
  let at = 0;
  for (const each of fields(bytes, field.from, field.end)) {
    const isRaw = each.number === 9;
    const isListed = each.number === (type === FLOAT32 ? 4 : type === FLOAT64 ? 10 : 7);
    if (isRaw || (isListed && type !== INT64)) {
      // A list may come packed, or number by number.
      for (let place = each.from; place + size <= each.end; place += size) values[at++] = read(place);
    } else if (isListed) for (const value of numbersOf(bytes, each)) values[at++] = value;
  }
  return at === count ? values : null;
}
