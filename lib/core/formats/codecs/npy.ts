const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];

export interface NpyArray {
  shape: number[];
  /** In C order. */
  values: number[];
}

/** NumPy's file of 64-bit integers, C order. */
export function encodeNpy({ shape, values }: NpyArray): Uint8Array {
  const sides = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '<i8', 'fortran_order': False, 'shape': (${sides}), }`;
  // The header ends at a multiple of 64, with a line break.
  const length = Math.ceil((MAGIC.length + 2 + text.length + 1) / 64) * 64;
  const bytes = new Uint8Array(length + 8 * values.length);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint16(8, length - 10, true);
  bytes.fill(0x20, 10, length);
  for (let i = 0; i < text.length; i++) bytes[10 + i] = text.charCodeAt(i);
  bytes[length - 1] = 0x0a;
  values.forEach((value, i) => {
    view.setBigInt64(length + 8 * i, BigInt(value), true);
  });
  return bytes;
}

type Read = (view: DataView, at: number, little: boolean) => number;

const KINDS: Readonly<Record<string, readonly [size: number, read: Read]>> = {
  b1: [1, (view, at) => view.getUint8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  i1: [1, (view, at) => view.getInt8(at)],
  i2: [2, (view, at, little) => view.getInt16(at, little)],
  i4: [4, (view, at, little) => view.getInt32(at, little)],
  i8: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
  f4: [4, (view, at, little) => view.getFloat32(at, little)],
  f8: [8, (view, at, little) => view.getFloat64(at, little)],
};

/** Arrays of plain numbers; objects, which NumPy would unpickle, are refused. */
export function decodeNpy(bytes: Uint8Array): NpyArray {
  if (!MAGIC.slice(0, 6).every((byte, i) => bytes[i] === byte) || bytes.length < 12)
    throw new Error('this is no .npy file');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLong = (bytes[6] as number) >= 2;
  const start = isLong ? 12 : 10;
  const end = start + (isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, end));
  const descr = /'descr':\s*'([<>|=]?)([a-z]\d+)'/.exec(header);
  const sides = /'shape':\s*\(([\d\s,]*)\)/.exec(header);
  const kind = KINDS[descr?.[2] ?? ''];
  if (!descr || !sides || !kind) throw new Error(`arrays like ${header.trim() || 'this'} are not read`);
  const shape = (sides[1] ?? '').split(',').flatMap((side) => (side.trim() ? [Number(side)] : []));
  const count = shape.reduce((product, side) => product * side, 1);
  const [size, read] = kind;
  if (!(end + count * size <= bytes.length)) throw new Error('the .npy file is cut off');
  const stored = Array.from({ length: count }, (_, i) => read(view, end + i * size, descr[1] !== '>'));
  const isFortran = /'fortran_order':\s*True/.test(header);
  return { shape, values: isFortran ? inCOrder(stored, shape) : stored };
}

function inCOrder(stored: readonly number[], shape: readonly number[]): number[] {
  return stored.map((_, index) => {
    let rest = index;
    let at = 0;
    const places = [...shape].reverse().map((side) => {
      const place = rest % side;
      rest = Math.floor(rest / side);
      return place;
    });
    places.forEach((place, i) => {
      at = at * (shape[shape.length - 1 - i] as number) + place;
    });
    return stored[at] as number;
  });
}
