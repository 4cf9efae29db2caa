/**
 * Writes ONNX files of a few nodes, so that tests run real models through the real runtime without trained weights.
 * Only what the tests need of the format: float tensors, weights, nodes, integers and lists of them as attributes.
 */
export interface TinyNode {
  op: string;
  inputs: string[];
  outputs: string[];
  ints?: Record<string, number[]>;
  int?: Record<string, number>;
}

/** A side with a name may have any length. */
export type TinyShape = (number | string)[];

export interface TinyWeight {
  dims: number[];
  values: ArrayLike<number>;
  /** Sizes and axes are whole numbers. */
  isWhole?: boolean;
}

export interface TinyGraph {
  weights?: Record<string, TinyWeight>;
  inputs: Record<string, TinyShape>;
  outputs: Record<string, TinyShape>;
  nodes: TinyNode[];
}

const FLOAT = 1;
const INT64 = 7;
const INT = 2;
const INTS = 7;

export function tinyOnnx({ inputs, outputs, nodes, weights = {} }: TinyGraph): Buffer {
  const values = (field: number, tensors: Record<string, TinyShape>) =>
    Object.entries(tensors).map(([name, shape]) =>
      bytes(field, [text(1, name), bytes(2, [tensorType(shape)])]),
    );
  const graph = [
    ...nodes.map((node) => bytes(1, nodeOf(node))),
    text(2, 'tiny'),
    ...Object.entries(weights).map(([name, weight]) => bytes(5, weightOf(name, weight))),
    ...values(11, inputs),
    ...values(12, outputs),
  ];
  return Buffer.concat([number(1, 8), bytes(7, graph), bytes(8, [text(1, ''), number(2, 13)])]);
}

const tensorType = (shape: TinyShape) =>
  bytes(1, [
    number(1, FLOAT),
    bytes(
      2,
      shape.map((side) => bytes(1, [typeof side === 'number' ? number(1, side) : text(2, side)])),
    ),
  ]);

const nodeOf = ({ op, inputs, outputs, ints = {}, int = {} }: TinyNode) => [
  ...inputs.map((name) => text(1, name)),
  ...outputs.map((name) => text(2, name)),
  text(4, op),
  ...Object.entries(ints).map(([name, list]) =>
    bytes(5, [text(1, name), ...list.map((value) => number(8, value)), number(20, INTS)]),
  ),
  ...Object.entries(int).map(([name, value]) => bytes(5, [text(1, name), number(3, value), number(20, INT)])),
];

const weightOf = (name: string, { dims, values, isWhole }: TinyWeight) => [
  ...dims.map((side) => number(1, side)),
  number(2, isWhole ? INT64 : FLOAT),
  text(8, name),
  bytes(9, [
    Buffer.from(
      isWhole
        ? BigInt64Array.from(Array.from(values, BigInt)).buffer
        : Float32Array.from(Array.from(values)).buffer,
    ),
  ]),
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
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) out.push(Number(rest & 127n) | 128);
  return Buffer.from([...out, Number(rest)]);
}
