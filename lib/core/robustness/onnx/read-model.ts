import { TesseraError } from '@/lib/core/errors';
import { hasExternalData, isExternal } from './find-external';
import { type Field, fields, notOnnx, numbersOf, textOf } from './wire';

/** What a graph does in one place. */
export interface OnnxNode {
  op: string;
  inputs: string[];
  outputs: string[];
  /** Names that graphs inside of it take from outside. */
  captured: string[];
  ints: ReadonlyMap<string, readonly number[]>;
  floats: ReadonlyMap<string, number>;
  /** The tensor of a constant. */
  tensor: OnnxTensor | null;
  field: Field;
}

/** Name and size of what goes in or comes out. A side is null where anything goes. */
export interface OnnxValue {
  name: string;
  /** As the standard counts types; 1 is float32. */
  type: number | null;
  shape: (number | null)[] | null;
  field: Field;
}

export interface OnnxTensor {
  name: string;
  type: number;
  dims: number[];
  isExternal: boolean;
  field: Field;
}

export interface OnnxModel {
  bytes: Uint8Array;
  nodes: OnnxNode[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  initializers: ReadonlyMap<string, OnnxTensor>;
  /** Fields of the model beside its graph, and of the graph beside all of the above. */
  modelFields: Field[];
  graphFields: Field[];
  /** A tensor, wherever it is in the file, refers to data outside of it. */
  isExternal: boolean;
}

/** Half a gigabyte: a ResNet-152 takes a quarter of it. */
export const MAX_MODEL_BYTES = 512 * 1024 * 1024;

const GRAPH = 7;

/** Also called before a file is read into memory. */
export function requireModelSize(bytes: number): void {
  if (bytes > MAX_MODEL_BYTES)
    throw new TesseraError(
      'too-large',
      `The ONNX file has ${Math.ceil(bytes / 2 ** 20)} MB, and at most ${MAX_MODEL_BYTES / 2 ** 20} MB are taken. Export a smaller model.`,
    );
}

/** Parses the graph structure without tensor data. Throws a user error for invalid or too large files. */
export function readModel(bytes: Uint8Array): OnnxModel {
  requireModelSize(bytes.length);
  const all = [...fields(bytes)];
  const graphs = all.filter(({ number, hasLength }) => number === GRAPH && hasLength);
  if (graphs.length === 0) throw notOnnx('it holds no graph');
  // Two graphs in one file are one: this is how outputs are added.
  const parts = graphs.map((graph) => readGraph(bytes, graph));
  const model = {
    bytes,
    nodes: parts.flatMap(({ nodes }) => nodes),
    inputs: parts.flatMap(({ inputs }) => inputs),
    outputs: parts.flatMap(({ outputs }) => outputs),
    initializers: new Map(parts.flatMap(({ tensors }) => tensors.map((each) => [each.name, each] as const))),
    modelFields: all.filter((field) => !graphs.includes(field)),
    graphFields: parts.flatMap(({ others }) => others),
    isExternal: hasExternalData(bytes),
  };
  if (model.nodes.length === 0) throw notOnnx('its graph does nothing');
  if (model.outputs.length === 0) throw notOnnx('its graph gives nothing');
  return model;
}

/** Inputs without initializers; old files also list their weights as inputs. */
export const fedInputs = ({ inputs, initializers }: OnnxModel): OnnxValue[] =>
  inputs.filter(({ name }) => !initializers.has(name));

interface GraphPart {
  nodes: OnnxNode[];
  inputs: OnnxValue[];
  outputs: OnnxValue[];
  tensors: OnnxTensor[];
  others: Field[];
}

/** Nested graphs come from loops and conditionals. */
const MAX_DEPTH = 8;

function readGraph(bytes: Uint8Array, graph: Field, depth = 0): GraphPart {
  if (depth > MAX_DEPTH) throw notOnnx('it has graphs within graphs within graphs');
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

function readTensor(bytes: Uint8Array, field: Field): OnnxTensor {
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

export interface FileFacts {
  /** Of the standard operators; null where the file does not say it. */
  opset: number | null;
  /** Numbers in its weights. */
  parameters: number;
  bytes: number;
}

const OPSET_IMPORT = 8;
const DOMAIN = 1;
const VERSION = 2;

/** Reads opset, number of parameters and size for display. */
export function readFileFacts({ bytes, modelFields, initializers }: OnnxModel): FileFacts {
  let opset: number | null = null;
  for (const field of modelFields) {
    if (field.number !== OPSET_IMPORT || !field.hasLength) continue;
    let [domain, version] = ['', null as number | null];
    for (const part of fields(bytes, field.from, field.end)) {
      if (part.number === DOMAIN) domain = textOf(bytes, part);
      else if (part.number === VERSION) version = part.value;
    }
    if (domain === '' || domain === 'ai.onnx') opset = version;
  }
  const parameters = [...initializers.values()].reduce(
    (sum, { dims }) => sum + dims.reduce((product, side) => product * side, 1),
    0,
  );
  return { opset, parameters, bytes: bytes.length };
}
