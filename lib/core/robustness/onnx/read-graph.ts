import { isExternal } from './find-external';
import type { OnnxNode, OnnxTensor, OnnxValue } from './read-model';
import { type Field, fields, notOnnx, numbersOf, textOf } from './wire';

export interface GraphPart {
  nodes: OnnxNode[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  tensors: OnnxTensor[];
  others: Field[];
}

/** Graphs within graphs: loops and choices, and hardly ever one in the other. */
const MOST_DEPTH = 8;

export function readGraph(bytes: Uint8Array, graph: Field, depth = 0): GraphPart {
  if (depth > MOST_DEPTH) throw notOnnx('it has graphs within graphs within graphs');
  const part: GraphPart = { nodes: [], inputs: [], outputs: [], tensors: [], others: [] };
  for (const field of fields(bytes, graph.from, graph.end)) {
    if (field.number === 1) part.nodes.push(readNode(bytes, field, depth));
    else if (field.number === 5) part.tensors.push(readTensor(bytes, field));
    else if (field.number === 11) part.inputs.push(readValue(bytes, field));
    else if (field.number === 12) part.outputs.push(readValue(bytes, field));
    else part.others.push(field);
  }
  return part;
}

function readNode(bytes: Uint8Array, field: Field, depth: number): OnnxNode {
  const ints = new Map<string, readonly number[]>();
  const floats = new Map<string, number>();
  const node = { op: '', inputs: [] as string[], outputs: [] as string[], captured: [] as string[] };
  let tensor: OnnxTensor | null = null;
  for (const each of fields(bytes, field.from, field.end)) {
    if (each.number === 1) node.inputs.push(textOf(bytes, each));
    else if (each.number === 2) node.outputs.push(textOf(bytes, each));
    else if (each.number === 4) node.op = textOf(bytes, each);
    else if (each.number === 5) {
      let name = '';
      const numbers: number[] = [];
      for (const part of fields(bytes, each.from, each.end)) {
        if (part.number === 1) name = textOf(bytes, part);
        else if (part.number === 2 && part.end - part.from === 4) floats.set(name, floatAt(bytes, part.from));
        else if (part.number === 3 || part.number === 8) {
          for (const value of numbersOf(bytes, part)) numbers.push(value);
        } else if (part.number === 5) tensor = readTensor(bytes, part);
        else if (part.number === 6 || part.number === 11) {
          const inner = readGraph(bytes, part, depth + 1);
          node.captured = node.captured.concat(
            inner.nodes.flatMap((within) => [...within.inputs, ...within.captured]),
            inner.outputs.map((output) => output.name),
          );
        }
      }
      ints.set(name, numbers);
    }
  }
  return { ...node, ints, floats, tensor, field };
}

export function readTensor(bytes: Uint8Array, field: Field): OnnxTensor {
  const tensor: OnnxTensor = { name: '', type: 0, dims: [], isExternal: false, field };
  for (const each of fields(bytes, field.from, field.end)) {
    if (each.number === 1) tensor.dims = tensor.dims.concat(numbersOf(bytes, each));
    else if (each.number === 2) tensor.type = each.value;
    else if (each.number === 8) tensor.name = textOf(bytes, each);
    else if (isExternal(each)) tensor.isExternal = true;
  }
  return tensor;
}

function readValue(bytes: Uint8Array, field: Field): OnnxValue {
  const value: OnnxValue = { name: '', type: null, shape: null, field };
  for (const each of fields(bytes, field.from, field.end)) {
    if (each.number === 1) value.name = textOf(bytes, each);
    else if (each.number === 2)
      for (const kind of fields(bytes, each.from, each.end))
        if (kind.number === 1)
          for (const part of fields(bytes, kind.from, kind.end)) {
            if (part.number === 1) value.type = part.value;
            else if (part.number === 2) value.shape = readShape(bytes, part);
          }
  }
  return value;
}

function readShape(bytes: Uint8Array, shape: Field): (number | null)[] {
  const sides: (number | null)[] = [];
  for (const side of fields(bytes, shape.from, shape.end)) {
    if (side.number !== 1) continue;
    let length: number | null = null;
    for (const part of fields(bytes, side.from, side.end))
      if (part.number === 1 && part.value > 0) length = part.value;
    sides.push(length);
  }
  return sides;
}

const floatAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat32(at, true);
