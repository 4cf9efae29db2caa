/** Many numbers as one text: a row keeps few names and short texts. Bytes are little-endian, written in base 64. */
export function packNumbers(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (let i = 0; i < values.length; i++) view.setFloat32(4 * i, values[i] as number, true);
  return textOf(view);
}

export function unpackNumbers(text: string): Float32Array {
  const view = viewOf(text);
  return Float32Array.from({ length: view.byteLength / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

const STEPS = 65_535;

/** Of 0 to 1, in two bytes each. */
export function packShares(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(2 * values.length));
  for (let i = 0; i < values.length; i++)
    view.setUint16(2 * i, Math.round(STEPS * (values[i] as number)), true);
  return textOf(view);
}

export function unpackShares(text: string): Float32Array {
  const view = viewOf(text);
  return Float32Array.from({ length: view.byteLength / 2 }, (_, i) => view.getUint16(2 * i, true) / STEPS);
}

function textOf({ buffer }: DataView): string {
  let bytes = '';
  for (const byte of new Uint8Array(buffer as ArrayBuffer)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}

function viewOf(text: string): DataView {
  const bytes = atob(text);
  return new DataView(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer);
}
