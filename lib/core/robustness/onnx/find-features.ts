import type { OnnxModel, OnnxNode, OnnxTensor } from './read-model';
import { fields, numbersOf } from './wire';

/** Linear head of a classifier. */
export interface Head {
  classes: number;
  channels: number;
  /** classes × channels. */
  weights: Float32Array;
  bias: Float32Array;
}

/** Feature map of a model and the head that follows its pooling. */
interface Features {
  /** Name of the tensor of channels × height × width. */
  tensor: string;
  head: Head;
  /** Name of the tensor that the head gives: the logits, even where the output has gone through a softmax. */
  logits: string;
}

/**
 * Walks back from an output over the linear layer, flattening and pooling to the feature map. Null for other architectures:
 * then the contract has to name the map, and saliency needs the tail or the gradient.
 */
export function findFeatures(model: OnnxModel, output: string): Features | null {
  const makers = new Map(model.nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const walk = (name: string, ops: readonly string[]): string => {
    let at = name;
    for (let node = makers.get(at); node && ops.includes(node.op); node = makers.get(at))
      at = node.inputs[0] ?? '';
    return at;
  };
  const logits = walk(output, ['Softmax', 'LogSoftmax', 'Identity']);
  const linear = readLinear(model, makers, logits);
  if (!linear) return null;
  const pooled = walk(linear.input, ['Flatten', 'Reshape', 'Squeeze', 'Dropout', 'Identity']);
  const pool = makers.get(pooled);
  if (!pool || !isAverage(model, makers, pool)) return null;
  const tensor = pool.inputs[0];
  // The picture itself is no map of features.
  return tensor && makers.has(tensor) ? { tensor, head: linear.head, logits } : null;
}

type Makers = ReadonlyMap<string, OnnxNode>;

function readLinear(model: OnnxModel, makers: Makers, name: string): { input: string; head: Head } | null {
  const node = makers.get(name);
  if (node?.op === 'Gemm') {
    const flag = (attribute: string) => node.ints.get(attribute)?.[0] === 1;
    if (flag('transA')) return null;
    const [alpha, beta] = [node.floats.get('alpha') ?? 1, node.floats.get('beta') ?? 1];
    return withHead(model, makers, node.inputs, { isByClass: flag('transB'), alpha, beta });
  }
  if (node?.op === 'MatMul') return withHead(model, makers, node.inputs, {});
  if (node?.op !== 'Add') return null;
  // The product may be either side of the sum.
  const side = node.inputs.findIndex((input) => makers.get(input)?.op === 'MatMul');
  const product = makers.get(node.inputs[side] ?? '');
  return product ? withHead(model, makers, [...product.inputs, node.inputs[1 - side] ?? ''], {}) : null;
}

function withHead(
  model: OnnxModel,
  makers: Makers,
  [input = '', weightName = '', biasName = '']: readonly string[],
  { isByClass = false, alpha = 1, beta = 1 },
): { input: string; head: Head } | null {
  const weight = matrix(model, makers, weightName);
  if (!weight) return null;
  const isRows = weight.isTurned !== isByClass;
  const [channels, classes] = isRows ? [weight.columns, weight.rows] : [weight.rows, weight.columns];
  const weights = new Float32Array(classes * channels);
  for (let c = 0; c < classes; c++)
    for (let k = 0; k < channels; k++)
      weights[c * channels + k] =
        alpha * (weight.values[isRows ? c * channels + k : k * classes + c] as number);
  const values = biasName ? constant(model, makers, biasName)?.values : new Float64Array(classes);
  if (!values || (values.length !== classes && values.length !== 1)) return null;
  const bias = Float32Array.from({ length: classes }, (_, c) => beta * (values[c % values.length] as number));
  return { input, head: { classes, channels, weights, bias } };
}

function constant(model: OnnxModel, makers: Makers, name: string) {
  const maker = makers.get(name);
  const tensor =
    model.initializers.get(maker?.op === 'Identity' ? (maker.inputs[0] ?? '') : name) ??
    (maker?.op === 'Constant' ? maker.tensor : null);
  const values = tensor ? tensorValues(model.bytes, tensor) : null;
  return tensor && values ? { dims: tensor.dims, values } : null;
}

function matrix(model: OnnxModel, makers: Makers, name: string) {
  const maker = makers.get(name);
  const isTurned = maker?.op === 'Transpose';
  const found = constant(model, makers, isTurned ? (maker.inputs[0] ?? '') : name);
  const [rows, columns] = found?.dims ?? [];
  if (found?.dims.length !== 2 || !rows || !columns) return null;
  return { values: found.values, rows, columns, isTurned };
}

/** Over both sides of the picture, and over nothing else. */
function isAverage(model: OnnxModel, makers: Makers, node: OnnxNode): boolean {
  if (node.op === 'GlobalAveragePool') return true;
  if (node.op !== 'ReduceMean') return false;
  // Since opset 18 the sides are an input.
  const given = node.ints.get('axes') ?? constant(model, makers, node.inputs[1] ?? '')?.values ?? [];
  const sides = Array.from(given, (axis) => (axis < 0 ? axis + 4 : axis)).sort();
  return sides.length === 2 && sides[0] === 2 && sides[1] === 3;
}

const FLOAT32 = 1;
const INT64 = 7;
const FLOAT64 = 11;

/** Values of a small tensor; null for unsupported types or a wrong number of values. */
function tensorValues(bytes: Uint8Array, tensor: OnnxTensor): Float64Array | null {
  const count = tensor.dims.reduce((product, side) => product * side, 1);
  if (tensor.isExternal || !Number.isSafeInteger(count) || count < 0) return null;
  const { type, field } = tensor;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = type === FLOAT32 ? 4 : 8;
  const read = (at: number) =>
    type === FLOAT32
      ? view.getFloat32(at, true)
      : type === FLOAT64
        ? view.getFloat64(at, true)
        : Number(view.getBigInt64(at, true));
  if (type !== FLOAT32 && type !== FLOAT64 && type !== INT64) return null;
  // Do not allocate for a forged count.
  if (count > field.end - field.from) return null;
  const values = new Float64Array(count);
  let at = 0;
  for (const each of fields(bytes, field.from, field.end)) {
    const isRaw = each.number === 9;
    const isListed = each.number === (type === FLOAT32 ? 4 : type === FLOAT64 ? 10 : 7);
    if (isRaw || (isListed && type !== INT64)) {
      // A list may come packed, or number by number.
      for (let place = each.from; place + size <= each.end; place += size) values[at++] = read(place);
    } else if (isListed) for (const value of numbersOf(bytes, each)) values[at++] = value;
  }
  return at === count ? values : null;
}

const MAPS = new Set([
  'Conv',
  'Relu',
  'LeakyRelu',
  'Clip',
  'Add',
  'Concat',
  'BatchNormalization',
  'HardSwish',
  'Mul',
  'MaxPool',
  'AveragePool',
  'Resize',
]);

/**
 * Candidate tensors for the feature map, closest to the output first, for users to choose from if it is not detected.
 */
export function listFeatureChoices({ nodes }: OnnxModel, output: string, max = 20): string[] {
  const makers = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const seen = new Set<string>([output]);
  const found: string[] = [];
  // Breadth first: a name is nearer the fewer steps lie between.
  for (const name of seen) {
    const node = makers.get(name);
    if (!node) continue;
    const feedsOnMaps = MAPS.has(node.op) && behindConvolution(name, makers);
    if (feedsOnMaps) found.push(name);
    if (found.length === max) break;
    for (const input of node.inputs) seen.add(input);
  }
  return found;
}

/** Only outputs of convolutions are maps with height and width. */
function behindConvolution(
  name: string,
  makers: ReadonlyMap<string, { op: string; inputs: readonly string[] }>,
): boolean {
  for (let node = makers.get(name); node && MAPS.has(node.op); node = makers.get(node.inputs[0] ?? ''))
    if (node.op === 'Conv') return true;
  return false;
}
