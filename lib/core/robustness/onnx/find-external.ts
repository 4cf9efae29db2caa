import { type Field, fields, notOnnx } from './wire';

/**
 * Messages of onnx.proto that can lead to a tensor, with their fields: onnx/onnx.proto of ONNX 1.23. Types, value
 * infos, annotations and metadata hold no tensors.
 */
const messages = {
  model: { 7: 'graph', 20: 'trainingInfo', 25: 'function' },
  trainingInfo: { 1: 'graph', 2: 'graph' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparseTensor' },
  function: { 7: 'node', 11: 'attribute' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparseTensor', 23: 'sparseTensor' },
  sparseTensor: { 1: 'tensor', 2: 'tensor' },
} as const satisfies Record<string, Readonly<Record<number, string>>>;

type Message = keyof typeof messages | 'tensor';

const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;

/** Messages within messages: eight nested graphs and their attributes, which is what `readGraph` accepts. */
const MAX_DEPTH = 32;

/**
 * Reports whether any tensor of the model refers to data outside of the file. The runtime would open that path on this
 * machine, or even read an address in its own memory.
 */
export function hasExternalData(bytes: Uint8Array): boolean {
  if (isOrtFormat(bytes)) throw notOnnx('it is in the format of one runtime');
  return refersOutside(bytes, { from: 0, end: bytes.length }, 'model', 0);
}

function refersOutside(
  bytes: Uint8Array,
  { from, end }: Pick<Field, 'from' | 'end'>,
  message: Message,
  depth: number,
): boolean {
  if (depth > MAX_DEPTH) throw notOnnx('it has graphs within graphs within graphs');
  for (const field of fields(bytes, from, end)) {
    if (message === 'tensor') {
      if (isExternal(field)) return true;
      continue;
    }
    const inner = (messages[message] as Readonly<Record<number, Message>>)[field.number];
    if (inner && field.hasLength && refersOutside(bytes, field, inner, depth + 1)) return true;
  }
  return false;
}

/** Any location other than 0 counts: readers cut the number to 32 bits, so that 2^32 + 1 means "external" too. */
export const isExternal = ({ number, value, hasLength }: Field): boolean =>
  number === EXTERNAL_DATA || (number === DATA_LOCATION && (hasLength || value !== 0));

/**
 * Recognizes ORT's own format the way the runtime does: it looks at these four bytes alone, so that a file can be a
 * harmless ONNX model to this reader and another model to the runtime.
 */
const isOrtFormat = (bytes: Uint8Array): boolean =>
  bytes.length > 8 && [...'ORTM'].every((letter, i) => bytes[4 + i] === letter.charCodeAt(0));
