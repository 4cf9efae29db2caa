import type { OnnxModel } from './read-model';
import { joined, lengthField, textField } from './write-wire';

const GRAPH = 7;
const OUTPUT = 12;
const NAME = 1;

/**
 * The same model with further tensors among its outputs. A message behind a message is merged with it, so a second graph
 * that has nothing but outputs does it: no byte of the model changes. Runtimes find types and sizes themselves.
 */
export function withOutputs({ bytes, outputs }: OnnxModel, names: readonly string[]): Uint8Array {
  const missing = names.filter((name) => !outputs.some((output) => output.name === name));
  if (missing.length === 0) return bytes;
  const added = missing.map((name) => lengthField(OUTPUT, textField(NAME, name)));
  return joined(bytes, lengthField(GRAPH, ...added));
}
