import { TesseraError } from '@/lib/core/errors';
import { hasExternalData } from './find-external';
import { readGraph } from './read-graph';
import { type Field, fields, notOnnx } from './wire';

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
export const MOST_MODEL_BYTES = 512 * 1024 * 1024;

const GRAPH = 7;

/** Also to be asked before a file is read into memory. */
export function refuseLarge(bytes: number): void {
  if (bytes > MOST_MODEL_BYTES)
    throw new TesseraError(
      'too-large',
      `The ONNX file has ${Math.ceil(bytes / 2 ** 20)} MB, and at most ${MOST_MODEL_BYTES / 2 ** 20} MB are taken. Export a smaller model.`,
    );
}

/** Reads what the graph is made of, not its numbers. What is no ONNX, or too large, is refused in words. */
export function readModel(bytes: Uint8Array): OnnxModel {
  refuseLarge(bytes.length);
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

/** The inputs that have to be fed: old files also list their weights. */
export const fedInputs = ({ inputs, initializers }: OnnxModel): OnnxValue[] =>
  inputs.filter(({ name }) => !initializers.has(name));
