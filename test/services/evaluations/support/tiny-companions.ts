import { type TinyGraph, tinyOnnx } from '../../../support/tiny-onnx';

export const SIDE = 16;

/** Gives the mean colour of a picture: an embedding of three numbers. */
export const meanEncoder = (side = SIDE, change: Partial<TinyGraph> = {}): Buffer =>
  tinyOnnx({
    inputs: { image: ['n', 3, side, side] },
    outputs: { embedding: ['n', 3] },
    nodes: [
      {
        op: 'ReduceMean',
        inputs: ['image'],
        outputs: ['embedding'],
        ints: { axes: [2, 3] },
        int: { keepdims: 0 },
      },
    ],
    ...change,
  });

/** Halves both sides by means of four pixels: the place of a picture is its thumbnail. */
export const smallEncoder = (side = SIDE): Buffer =>
  tinyOnnx({
    inputs: { image: ['n', 3, side, side] },
    outputs: { latent: ['n', 3, side / 2, side / 2] },
    nodes: [
      {
        op: 'AveragePool',
        inputs: ['image'],
        outputs: ['latent'],
        ints: { kernel_shape: [2, 2], strides: [2, 2] },
      },
    ],
  });

/** Every pixel of a thumbnail four times. */
export const largeDecoder = (side = SIDE): Buffer =>
  tinyOnnx({
    inputs: { latent: ['n', 3, side / 2, side / 2] },
    outputs: { picture: ['n', 3, side, side] },
    weights: { twice: { dims: [4], values: [1, 1, 2, 2] } },
    nodes: [{ op: 'Resize', inputs: ['latent', '', 'twice'], outputs: ['picture'] }],
  });
