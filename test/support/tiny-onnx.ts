/**
 * Writes ONNX files of a few nodes, so that tests run real models through the real runtime without trained weights.
 * Only what the tests need of the format: float tensors of fixed shape, nodes, lists of integers as attributes.
 */
export interface TinyNode {
  op: string;
  inputs: string[];
  outputs: string[];
  ints?: Record<string, number[]>;
}

export interface TinyGraph {
  inputs: Record<string, number[]>;
  outputs: Record<string, number[]>;
  nodes: TinyNode[];
}

const FLOAT = 1;
const INTS = 7;

export function tinyOnnx({ inputs, outputs, nodes }: TinyGraph): Buffer {
  const values = (field: number, tensors: Record<string, number[]>) =>
    Object.entries(tensors).map(([name, shape]) =>
      bytes(field, [text(1, name), bytes(2, [tensorType(shape)])]),
    );
  const graph = [
    ...nodes.map((node) => bytes(1, nodeOf(node))),
    text(2, 'tiny'),
    ...values(11, inputs),
    ...values(12, outputs),
  ];
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, [text(1, ''), number(2, 13)])]);
}

const tensorType = (shape: number[]) =>
  bytes(1, [
    number(1, FLOAT),
    bytes(
      2,
      shape.map((side) => bytes(1, [number(1, side)])),
    ),
  ]);

const nodeOf = ({ op, inputs, outputs, ints = {} }: TinyNode) => [
  ...inputs.map((name) => text(1, name)),
  ...outputs.map((name) => text(2, name)),
  text(4, op),
  ...Object.entries(ints).map(([name, list]) =>
    bytes(5, [text(1, name), ...list.map((value) => number(8, value)), number(20, INTS)]),
  ),
];

// Protocol buffers: a field is its number and kind, then a number, or a length and so many bytes.
const number = (field: number, value: number) => Buffer.concat([varint(field << 3), varint(value)]);

function bytes(field: number, parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

const text = (field: number, value: string) => bytes(field, [Buffer.from(value)]);

function varint(value: number): Buffer {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return Buffer.from([...out, value]);
}
