import { createRng } from '@/lib/core/robustness/random';
import { type TinyNode, type TinyWeight, tinyOnnx } from './tiny-onnx';

export const SIDE = 16;
export const FEATURES = 6;

/**
 * A real small network with weights by chance: two convolutions, each with its ReLU, the mean over the picture, one
 * linear layer. Big enough that its gradient, its map and its decisions mean something.
 */
export function tinyClassifier({ classes = 5, batch = 'batch' as number | string, key = 'tiny' } = {}) {
  const weights = tinyWeights(classes, key);
  const inputs = { image: [batch, 3, SIDE, SIDE] };
  const contract = {
    input: { name: 'image', height: SIDE, width: SIDE, mean: [0.5, 0.5, 0.5], std: [0.5, 0.5, 0.5] },
    outputs: { logits: 'logits' },
    classes: Array.from({ length: classes }, (_, i) => `class ${i}`),
  };
  const onnx = tinyOnnx({ inputs, weights, outputs: { logits: [batch, classes] }, nodes: forward });
  const probabilities = tinyOnnx({
    inputs,
    weights,
    outputs: { logits: [batch, classes] },
    nodes: [
      ...forward.slice(0, -1),
      { ...(forward.at(-1) as TinyNode), outputs: ['scores'] },
      { op: 'Softmax', inputs: ['scores'], outputs: ['logits'], int: { axis: 1 } },
    ],
  });
  const gradient = tinyOnnx({
    inputs: { ...inputs, seed: [batch, classes], share: [1] },
    weights: {
      ...weights,
      zero: { dims: [1], values: [0] },
      area: { dims: [1], values: [SIDE * SIDE] },
      sides: { dims: [2], values: [2, 3], isWhole: true },
    },
    outputs: {
      logits: [batch, classes],
      gradient: [batch, 3, SIDE, SIDE],
      feature_gradient: [batch, FEATURES, SIDE, SIDE],
    },
    nodes: [...forward, ...backward],
  });
  return { onnx, probabilities, gradient, contract };
}

function tinyWeights(classes: number, key: string): Record<string, TinyWeight> {
  const chance = createRng(`tessera|test|${key}`);
  const draw = (dims: number[], scale: number): TinyWeight => ({
    dims,
    values: Array.from({ length: dims.reduce((a, b) => a * b) }, () => scale * chance.normal()),
  });
  return {
    w1: draw([4, 3, 3, 3], 0.4),
    b1: draw([4], 0.2),
    w2: draw([FEATURES, 4, 3, 3], 0.3),
    b2: draw([FEATURES], 0.2),
    wl: draw([classes, FEATURES], 1.5),
    bl: draw([classes], 0.1),
  };
}

const pads = { pads: [1, 1, 1, 1] };
const forward: TinyNode[] = [
  { op: 'Conv', inputs: ['image', 'w1', 'b1'], outputs: ['pre1'], ints: pads },
  { op: 'Relu', inputs: ['pre1'], outputs: ['map1'] },
  { op: 'Conv', inputs: ['map1', 'w2', 'b2'], outputs: ['pre2'], ints: pads },
  { op: 'Relu', inputs: ['pre2'], outputs: ['map2'] },
  { op: 'GlobalAveragePool', inputs: ['map2'], outputs: ['mean'] },
  { op: 'Flatten', inputs: ['mean'], outputs: ['flat'] },
  { op: 'Gemm', inputs: ['flat', 'wl', 'bl'], outputs: ['logits'], int: { transB: 1 } },
];

const backward: TinyNode[] = [
  { op: 'Softmax', inputs: ['logits'], outputs: ['p'], int: { axis: 1 } },
  { op: 'Mul', inputs: ['p', 'share'], outputs: ['shared'] },
  { op: 'Add', inputs: ['shared', 'seed'], outputs: ['v'] },
  { op: 'MatMul', inputs: ['v', 'wl'], outputs: ['byMean'] },
  { op: 'Div', inputs: ['byMean', 'area'], outputs: ['byValue'] },
  { op: 'Unsqueeze', inputs: ['byValue', 'sides'], outputs: ['byPixel'] },
  { op: 'Mul', inputs: ['map2', 'zero'], outputs: ['nothing'] },
  { op: 'Add', inputs: ['nothing', 'byPixel'], outputs: ['feature_gradient'] },
  ...through('feature_gradient', 'pre2', 'w2', 'byMap1'),
  ...through('byMap1', 'pre1', 'w1', 'gradient'),
];

/** Back through a ReLU and its convolution. */
function through(from: string, pre: string, weight: string, to: string): TinyNode[] {
  return [
    { op: 'Greater', inputs: [pre, 'zero'], outputs: [`${pre}-is`] },
    { op: 'Cast', inputs: [`${pre}-is`], outputs: [`${pre}-open`], int: { to: 1 } },
    { op: 'Mul', inputs: [from, `${pre}-open`], outputs: [`${pre}-by`] },
    { op: 'ConvTranspose', inputs: [`${pre}-by`, weight], outputs: [to], ints: pads },
  ];
}
