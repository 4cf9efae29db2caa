import { deflateRuns } from './deflate';
import { joined } from './joined';

/** A MATLAB value as far as annotation files use it; matrices are column-major. */
export type MatValue =
  | { kind: 'text'; text: string }
  | {
      kind: 'matrix';
      rows: number;
      columns: number;
      /** Bytes are written as class uint8, other numbers as double. */
      values: Uint8Array | Float64Array;
      isLogical?: boolean;
    }
  | {
      kind: 'struct';
      rows: number;
      columns: number;
      fields: readonly string[];
      /** One record per element, column by column. */
      items: readonly Readonly<Record<string, MatValue>>[];
    };

/** Types of elements and classes of arrays, as the format numbers them. */
export const MI = {
  int8: 1,
  uint8: 2,
  int32: 5,
  uint32: 6,
  double: 9,
  matrix: 14,
  compressed: 15,
  utf8: 16,
} as const;
export const MX = { struct: 2, char: 4, double: 6, uint8: 9 } as const;
export const LOGICAL = 0x0200;

const encoder = new TextEncoder();

/** A level-5 file with one variable, compressed as MATLAB does. The header names no date, so that files repeat. */
export function encodeMat(name: string, value: MatValue): Uint8Array {
  const header = new Uint8Array(128).fill(0x20);
  header.set(encoder.encode('MATLAB 5.0 MAT-file, Platform: GLNXA64, Created by: Tessera'));
  header.fill(0, 116, 124);
  header.set([0x00, 0x01, 0x49, 0x4d], 124);
  const plain = new Uint8Array(8 + sizeOf(name, value));
  writeMatrix(plain, 0, name, value);
  const packed = deflateRuns(plain);
  const tag = new Uint8Array(8);
  const view = new DataView(tag.buffer);
  view.setUint32(0, MI.compressed, true);
  view.setUint32(4, packed.length, true);
  return joined([header, tag, packed]);
}

const padded = (size: number) => (size + 7) & ~7;
/** Up to four bytes lie in the tag itself. */
const elementSize = (size: number) => (size <= 4 ? 8 : 8 + padded(size));

/** Longest field name and its ending zero; each level of an annotation file has its own. */
const fieldLength = (fields: readonly string[]) => Math.max(...fields.map((field) => field.length)) + 1;

const dataSize = (value: Exclude<MatValue, { kind: 'struct' }>) =>
  value.kind === 'text' ? encoder.encode(value.text).length : value.values.byteLength;

/** Bytes of an array's content, without its tag. */
function sizeOf(name: string, value: MatValue): number {
  const head = 16 + 16 + elementSize(name.length);
  if (value.kind !== 'struct') return head + elementSize(dataSize(value));
  const names = 8 + elementSize(value.fields.length * fieldLength(value.fields));
  const cells = value.items.reduce(
    (sum, item) => sum + value.fields.reduce((own, field) => own + 8 + sizeOf('', cell(item, field)), 0),
    0,
  );
  return head + names + cells;
}

function cell(item: Readonly<Record<string, MatValue>>, field: string): MatValue {
  const value = item[field];
  if (!value) throw new Error(`the struct has no ${field}`);
  return value;
}

/** Returns where the next element begins. */
function writeMatrix(bytes: Uint8Array, start: number, name: string, value: MatValue): number {
  const view = new DataView(bytes.buffer);
  view.setUint32(start, MI.matrix, true);
  view.setUint32(start + 4, sizeOf(name, value), true);
  const isBytes = value.kind === 'matrix' && value.values instanceof Uint8Array;
  const cls =
    value.kind === 'struct' ? MX.struct : value.kind === 'text' ? MX.char : isBytes ? MX.uint8 : MX.double;
  const flags = cls | (value.kind === 'matrix' && value.isLogical ? LOGICAL : 0);
  let at = writeElement(bytes, start + 8, MI.uint32, words(flags, 0));
  const [rows, columns] = value.kind === 'text' ? [1, value.text.length] : [value.rows, value.columns];
  at = writeElement(bytes, at, MI.int32, words(rows, columns));
  at = writeElement(bytes, at, MI.int8, encoder.encode(name));
  if (value.kind === 'text') return writeElement(bytes, at, MI.utf8, encoder.encode(value.text));
  if (value.kind === 'matrix') {
    const { values } = value;
    if (values.length !== rows * columns)
      throw new Error(`${values.length} numbers given for ${rows}×${columns}`);
    return values instanceof Uint8Array
      ? writeElement(bytes, at, MI.uint8, values)
      : writeElement(bytes, at, MI.double, doubles(values));
  }
  const length = fieldLength(value.fields);
  at = writeElement(bytes, at, MI.int32, words(length));
  const names = new Uint8Array(length * value.fields.length);
  value.fields.forEach((field, i) => {
    names.set(encoder.encode(field), i * length);
  });
  at = writeElement(bytes, at, MI.int8, names);
  for (const item of value.items)
    for (const field of value.fields) at = writeMatrix(bytes, at, '', cell(item, field));
  return at;
}

function writeElement(bytes: Uint8Array, at: number, type: number, data: Uint8Array): number {
  const view = new DataView(bytes.buffer);
  if (data.length <= 4) {
    view.setUint32(at, (data.length << 16) | type, true);
    bytes.set(data, at + 4);
    return at + 8;
  }
  view.setUint32(at, type, true);
  view.setUint32(at + 4, data.length, true);
  bytes.set(data, at + 8);
  return at + 8 + padded(data.length);
}

function words(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    view.setInt32(4 * i, value, true);
  });
  return bytes;
}

function doubles(values: Float64Array): Uint8Array {
  const bytes = new Uint8Array(8 * values.length);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    view.setFloat64(8 * i, value, true);
  });
  return bytes;
}

export { decodeMat } from './mat5-decode';
