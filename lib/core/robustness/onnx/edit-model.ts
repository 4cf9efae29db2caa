import { invalid } from '@/lib/core/errors';
import { fedInputs, type OnnxModel, type OnnxNode } from './read-model';
import { concatBytes, type Field, lengthField, numberField, textField } from './wire';

const GRAPH = 7;
const OUTPUT = 12;
const NAME = 1;

/**
 * Adds tensors to the outputs of a model by appending a second graph message, which protobuf merges with the first. No byte
 * of the model changes. Runtimes infer types and shapes.
 */
export function addOutputs({ bytes, outputs }: OnnxModel, names: readonly string[]): Uint8Array {
  const missing = names.filter((name) => !outputs.some((output) => output.name === name));
  if (missing.length === 0) return bytes;
  const added = missing.map((name) => lengthField(OUTPUT, textField(NAME, name)));
  return concatBytes(bytes, lengthField(GRAPH, ...added));
}

const FLOAT32 = 1;
const VALUE_INFO = 13;

/**
 * Extracts the part of a model between two tensors. Nodes and weights are copied byte by byte, so that the outputs are
 * identical. `shape` is the shape of the first tensor; null dimensions are dynamic.
 */
export function cutTail(
  model: OnnxModel,
  from: string,
  to: string,
  shape: readonly (number | null)[],
): Uint8Array {
  const { nodes, used } = between(model, from, to);
  const stray = fedInputs(model).find(({ name }) => used.has(name));
  if (stray)
    throw invalid(
      `The model does not go through "${from}" alone: "${to}" also takes "${stray.name}" by another way. Choose a later tensor.`,
    );
  if (!used.has(from))
    throw invalid(`"${to}" does not depend on "${from}". Choose a tensor on the way to it.`);
  const copied = ({ start, end }: Field) => model.bytes.subarray(start, end);
  const isOutput = model.outputs.find(({ name }) => name === to);
  const tensors = [...model.initializers.values()].filter(({ name }) => used.has(name));
  const graph = [
    ...nodes.map(({ field }) => copied(field)),
    ...tensors.map(({ field }) => copied(field)),
    // Inner shapes are inferred again.
    ...model.graphFields.filter(({ number }) => number !== VALUE_INFO).map(copied),
    lengthField(11, valueInfo(from, shape)),
    isOutput ? copied(isOutput.field) : lengthField(12, textField(1, to)),
  ];
  return concatBytes(...model.modelFields.map(copied), lengthField(7, ...graph));
}

/** The nodes between two tensors in graph order, and the names that they use. */
function between(model: OnnxModel, from: string, to: string): { nodes: OnnxNode[]; used: Set<string> } {
  const makers = new Map(model.nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const kept = new Set<OnnxNode>();
  // A set that grows while it is walked over: every name once.
  const used = new Set([to]);
  for (const name of used) {
    const node = name === from ? undefined : makers.get(name);
    if (!node || kept.has(node)) continue;
    kept.add(node);
    for (const input of [...node.inputs, ...node.captured]) if (input) used.add(input);
  }
  return { nodes: model.nodes.filter((node) => kept.has(node)), used };
}

function valueInfo(name: string, shape: readonly (number | null)[]): Uint8Array {
  const sides = shape.map((side, i) =>
    lengthField(1, side === null ? textField(2, `side${i}`) : numberField(1, side)),
  );
  const type = lengthField(1, numberField(1, FLOAT32), lengthField(2, ...sides));
  return concatBytes(textField(1, name), lengthField(2, type));
}
