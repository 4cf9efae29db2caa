import { concatBytes } from './bytes';
import { deflateRuns, inflate } from './deflate';

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
const MI = {
  int8: 1,
  uint8: 2,
  int32: 5,
  uint32: 6,
  double: 9,
  matrix: 14,
  compressed: 15,
  utf8: 16,
} as const;
const MX = { struct: 2, char: 4, double: 6, uint8: 9 } as const;
const LOGICAL = 0x0200;

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
  return concatBytes([header, tag, packed]);
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

/** Most bytes that one compressed variable may unfold to: 2^28, some hundred masks. */
const MAX_BYTES = 2 ** 28;
/** An annotation is three levels deep; anything far deeper is made to hurt. */
const MAX_DEPTH = 16;
/** Most pixels of one mask: 2^26, as of any label map that is read. */
const MAX_PIXELS = 2 ** 26;

/** What one file may still ask for; numbers that are no bytes take eight bytes each here, values some hundred. */
interface Budget {
  numbers: number;
  values: number;
}
const budget = (): Budget => ({ numbers: 2 ** 25, values: 2 ** 20 });

const TOO_LARGE = 'the .mat file has more values than any annotation';
/** In bytes; names of parts and images are far shorter. */
const MAX_TEXT_BYTES = 2 ** 16;

interface Element {
  type: number;
  data: Uint8Array;
  next: number;
}

/** MATLAB 7.3 files are HDF5 files, most of them behind a header of 512 bytes that resembles the older one. */
export function isHdf5(bytes: Uint8Array): boolean {
  const isSignature = (at: number) =>
    [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, i) => bytes[at + i] === byte);
  return (
    isSignature(0) || isSignature(512) || new TextDecoder().decode(bytes.subarray(0, 10)) === 'MATLAB 7.3'
  );
}

/**
 * The variables of a level-5 .mat file. Big-endian files and cells are refused. Imports convert HDF5 files (version 7.3)
 * before they are read.
 */
export async function decodeMat(bytes: Uint8Array): Promise<Map<string, MatValue>> {
  if (isHdf5(bytes))
    throw new Error('this is a MATLAB 7.3 file (HDF5), which only imports convert: save it with -v7');
  if (bytes.length < 128 || bytes[126] !== 0x49 || bytes[127] !== 0x4d)
    throw new Error('this is no little-endian MATLAB 5 file');
  try {
    const variables = new Map<string, MatValue>();
    const left = budget();
    for (let at = 128; at + 8 <= bytes.length; ) {
      const element = readElement(bytes, at);
      const inner =
        element.type === MI.compressed ? readElement(await inflate(element.data, MAX_BYTES), 0) : element;
      if (inner.type === MI.matrix) {
        const { name, value } = readMatrix(inner.data, 0, left);
        variables.set(name, value);
      }
      at = element.next;
    }
    return variables;
  } catch (error) {
    if (error instanceof RangeError) throw new Error('the .mat file is cut off');
    throw error;
  }
}

function readElement(bytes: Uint8Array, at: number): Element {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.getUint32(at, true);
  const isSmall = head >>> 16 !== 0;
  const type = head & 0xffff;
  const size = isSmall ? head >>> 16 : view.getUint32(at + 4, true);
  const from = at + (isSmall ? 4 : 8);
  if ((isSmall && size > 4) || from + size > bytes.length) throw new Error('the .mat file is cut off');
  // Compressed elements are the only ones that are not filled up to eight bytes.
  const next = isSmall ? at + 8 : from + (type === MI.compressed ? size : (size + 7) & ~7);
  return { type, data: bytes.subarray(from, from + size), next };
}

function readMatrix(bytes: Uint8Array, depth: number, left: Budget): { name: string; value: MatValue } {
  if (depth > MAX_DEPTH) throw new Error('the .mat file is nested too deeply');
  left.values -= 1;
  if (left.values < 0) throw new Error(TOO_LARGE);
  if (bytes.length === 0) return { name: '', value: empty() };
  const flags = readElement(bytes, 0);
  const sides = readElement(bytes, flags.next);
  const title = readElement(bytes, sides.next);
  const word = numbers(flags, 1)[0] ?? 0;
  const [rows = 0, columns = 0, ...more] = numbers(sides, 3);
  if (more.length > 0 || rows < 0 || columns < 0) throw new Error('only matrices of two sides are read');
  const name = text(title);
  const cls = word & 255;
  if (cls === MX.struct) return { name, value: readStruct(bytes, title.next, rows, columns, depth, left) };
  if (cls !== MX.char && (cls < MX.double || cls > 15))
    throw new Error(`MATLAB values of class ${cls} are not read`);
  const element = readElement(bytes, title.next);
  if (cls === MX.char) return { name, value: { kind: 'text', text: text(element) } };
  if (rows * columns > MAX_PIXELS)
    throw new Error(`a matrix of ${rows}×${columns} is over the limit of ${MAX_PIXELS} pixels`);
  if (element.type !== MI.uint8) left.numbers -= rows * columns;
  if (left.numbers < 0) throw new Error('the .mat file has too many numbers that are no bytes');
  // One more than it should have is enough to see that it has too many.
  const values = element.type === MI.uint8 ? element.data : numbers(element, rows * columns + 1);
  if (values.length !== rows * columns) throw new Error('a matrix has not as many numbers as it says');
  return {
    name,
    value: { kind: 'matrix', rows, columns, values, ...(word & LOGICAL ? { isLogical: true } : {}) },
  };
}

const empty = (): MatValue => ({ kind: 'matrix', rows: 0, columns: 0, values: new Float64Array() });

function readStruct(
  bytes: Uint8Array,
  start: number,
  rows: number,
  columns: number,
  depth: number,
  left: Budget,
): MatValue {
  const lengthElement = readElement(bytes, start);
  const [length = 0] = numbers(lengthElement, 1);
  const names = readElement(bytes, lengthElement.next);
  if (length < 1) throw new Error('the .mat file has a struct with nameless fields');
  left.values -= names.data.length / length + rows * columns;
  if (left.values < 0) throw new Error(TOO_LARGE);
  const fields = Array.from(
    { length: Math.floor(names.data.length / length) },
    (_, i) =>
      new TextDecoder('latin1').decode(names.data.subarray(i * length, (i + 1) * length)).split('\0')[0] ??
      '',
  );
  // Every cell takes at least eight bytes: more than there is room for is not looped over.
  if (rows * columns * Math.max(1, fields.length) * 8 > bytes.length)
    throw new Error('a struct has not as many elements as it says');
  let at = names.next;
  const items: Record<string, MatValue>[] = [];
  for (let i = 0; i < rows * columns; i++) {
    const item: Record<string, MatValue> = Object.create(null);
    for (const field of fields) {
      const element = readElement(bytes, at);
      if (element.type !== MI.matrix) throw new Error('a field of a struct is no array');
      item[field] = readMatrix(element.data, depth + 1, left).value;
      at = element.next;
    }
    items.push(item);
  }
  return { kind: 'struct', rows, columns, fields, items };
}

const READ: Readonly<Record<number, readonly [size: number, read: (view: DataView, at: number) => number]>> =
  {
    1: [1, (view, at) => view.getInt8(at)],
    2: [1, (view, at) => view.getUint8(at)],
    3: [2, (view, at) => view.getInt16(at, true)],
    4: [2, (view, at) => view.getUint16(at, true)],
    5: [4, (view, at) => view.getInt32(at, true)],
    6: [4, (view, at) => view.getUint32(at, true)],
    7: [4, (view, at) => view.getFloat32(at, true)],
    9: [8, (view, at) => view.getFloat64(at, true)],
  };

/** At most the first so many. */
function numbers({ type, data }: Element, most: number): Float64Array {
  const kind = READ[type];
  if (!kind) throw new Error(`MATLAB numbers of type ${type} are not read`);
  const [size, read] = kind;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const found = new Float64Array(Math.min(most, Math.floor(data.length / size)));
  for (let i = 0; i < found.length; i++) found[i] = read(view, i * size);
  return found;
}

/** Text is UTF-8, UTF-16 or one number a letter. */
function text({ type, data }: Element): string {
  if (data.length > MAX_TEXT_BYTES) throw new Error('the .mat file has a text that is too long for a name');
  if (type === 17 || type === 4) return new TextDecoder('utf-16le').decode(data);
  return new TextDecoder(type === MI.utf8 ? 'utf-8' : 'latin1').decode(data);
}
