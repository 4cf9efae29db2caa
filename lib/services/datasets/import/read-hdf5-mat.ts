import { Dataset, File, Group, Reference, ready } from 'h5wasm';
import { encodeMat, type MatValue } from '@/lib/core/formats/codecs/mat5';

/** An annotation is three levels deep. Deeper files are hostile, or refer to themselves. */
const MAX_DEPTH = 16;
/** Most values of one file, as in `decodeMat`. */
const MAX_VALUES = 2 ** 20;
/** Most pixels of one mask: 2^26, as of any label map. */
const MAX_PIXELS = 2 ** 26;
/** Most numbers of one file: 2^28, some hundred masks. */
const MAX_NUMBERS = 2 ** 28;
const MAX_TEXT = 2 ** 16;

/** MATLAB's own objects: targets of references and class definitions. */
const INTERNAL = /^#/;

interface Budget {
  values: number;
  numbers: number;
}

/**
 * Converts a MATLAB 7.3 file, which is HDF5, to a MATLAB 5 file with the same variables. Runs in a process of its own:
 * the HDF5 library is WebAssembly, but a damaged file can make it loop. It sees only a file system in memory, so that
 * links and external data in the file cannot reach files of this machine.
 */
export async function convertHdf5Mat(bytes: Uint8Array): Promise<Uint8Array> {
  const { FS, activate_throwing_error_handler } = await ready;
  // Otherwise the library prints its errors and returns nothing.
  activate_throwing_error_handler();
  if (!FS) throw new Error('the HDF5 library has no file system');
  FS.writeFile('given.mat', bytes);
  let file: File | undefined;
  try {
    file = new File('given.mat', 'r');
    const left: Budget = { values: MAX_VALUES, numbers: MAX_NUMBERS };
    const variables = file.keys().filter((name) => !INTERNAL.test(name));
    const parts = variables.map((name) => encodeMat(name, readEntity(file as File, name, 0, left)));
    if (parts.length === 0) throw new Error('the file has no variables');
    // A file of several variables is the header of one, followed by the elements of all.
    return Buffer.concat(parts.map((part, index) => (index === 0 ? part : part.subarray(128))));
  } finally {
    file?.close();
    FS.unlink('given.mat');
  }
}

function readEntity(group: Group, name: string, depth: number, left: Budget): MatValue {
  const entity = group.get(name);
  if (entity instanceof Group) return readStruct(entity, depth, left);
  if (entity instanceof Dataset) return readDataset(entity, depth, left);
  throw new Error(`"${name.slice(0, 40)}" is a link, which is not followed`);
}

function spend(left: Budget, depth: number): void {
  left.values -= 1;
  if (depth > MAX_DEPTH) throw new Error('the .mat file is nested too deeply');
  if (left.values < 0) throw new Error('the .mat file has more values than any annotation');
}

/** A struct of one element has its fields as members; an array of structs has references to the fields of each. */
function readStruct(group: Group, depth: number, left: Budget): MatValue {
  spend(left, depth);
  const fields = group.keys();
  const lists = fields.map((field) => {
    const entity = group.get(field);
    return entity instanceof Dataset && isReferenceList(entity) ? entity : null;
  });
  const [first] = lists;
  if (!first || lists.includes(null)) {
    const item = Object.fromEntries(
      fields.map((field) => [field, readEntity(group, field, depth + 1, left)]),
    );
    return { kind: 'struct', rows: 1, columns: 1, fields, items: [item] };
  }
  const { rows, columns } = sizeOf(first, left);
  const columnsOfFields = lists.map((list) => referencesOf(list as Dataset, rows * columns));
  const items = Array.from({ length: rows * columns }, (_, i) =>
    Object.fromEntries(
      fields.map((field, at) => [
        field,
        readReference(group, columnsOfFields[at]?.[i] as Reference, depth, left),
      ]),
    ),
  );
  return { kind: 'struct', rows, columns, fields, items };
}

/** Cells have references too, and the class "cell". */
const isReferenceList = (dataset: Dataset): boolean =>
  dataset.dtype === 'Reference' && classOf(dataset) === null;

function referencesOf(dataset: Dataset, count: number): Reference[] {
  const value = dataset.value;
  const list = Array.isArray(value) ? value : [value];
  if (list.length !== count || !list.every((each) => each instanceof Reference))
    throw new Error('an array of structs has fields of different lengths');
  return list as Reference[];
}

function readReference(group: Group, reference: Reference, depth: number, left: Budget): MatValue {
  const target = group.dereference(reference);
  if (target instanceof Group) return readStruct(target, depth + 1, left);
  if (target instanceof Dataset) return readDataset(target, depth + 1, left);
  throw new Error('a reference leads to nothing');
}

function readDataset(dataset: Dataset, depth: number, left: Budget): MatValue {
  spend(left, depth);
  const kind = classOf(dataset);
  if (kind === 'cell' || dataset.dtype === 'Reference') throw new Error('cells of MATLAB are not read');
  if (dataset.attrs.MATLAB_empty) return emptyValue(kind);
  const { rows, columns } = sizeOf(dataset, left);
  const values = dataset.value;
  if (kind === 'char') return { kind: 'text', text: textOf(values) };
  const numbers = numbersOf(values);
  if (!numbers || numbers.length !== rows * columns)
    throw new Error(`values of class "${kind ?? 'unknown'}" are not read`);
  // HDF5 lists the sides in reverse, so that its rows are MATLAB's columns and the order is the same.
  return { kind: 'matrix', rows, columns, values: numbers, ...(kind === 'logical' && { isLogical: true }) };
}

const classOf = (dataset: Dataset): string | null => {
  const value = dataset.attrs.MATLAB_class?.value;
  return typeof value === 'string' ? value.replace(/\0+$/, '') : null;
};

const emptyValue = (kind: string | null): MatValue =>
  kind === 'struct'
    ? { kind: 'struct', rows: 0, columns: 0, fields: ['empty'], items: [] }
    : kind === 'char'
      ? { kind: 'text', text: '' }
      : { kind: 'matrix', rows: 0, columns: 0, values: new Float64Array() };

/** Checked before any value is read. */
function sizeOf(dataset: Dataset, left: Budget): { rows: number; columns: number } {
  const [columns = 1, rows = 1, ...more] = dataset.shape ?? [];
  if (more.length > 0) throw new Error('only matrices of two sides are read');
  const count = rows * columns;
  if (count > (classOf(dataset) === 'char' ? MAX_TEXT : MAX_PIXELS))
    throw new Error(`a matrix of ${rows}×${columns} is over the limit`);
  left.numbers -= count;
  if (left.numbers < 0) throw new Error('the .mat file has more values than any annotation');
  return { rows, columns };
}

/** Text is one number per UTF-16 unit. */
function textOf(values: unknown): string {
  const units = numbersOf(values);
  return units ? String.fromCharCode(...units.subarray(0, MAX_TEXT)) : '';
}

function numbersOf(values: unknown): Uint8Array | Float64Array | null {
  if (values instanceof Uint8Array) return values;
  if (typeof values === 'number') return Float64Array.of(values);
  if (!ArrayBuffer.isView(values) || values instanceof DataView) return null;
  return Float64Array.from(values as unknown as ArrayLike<number | bigint>, Number);
}
