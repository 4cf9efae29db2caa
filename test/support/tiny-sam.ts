import { tinyOnnx } from './tiny-onnx';

/** Of the square that the model looks at. */
export const SIDE = 64;

const picture = [1, 3, SIDE, SIDE];
export const brightness = { op: 'ReduceMean', ints: { axes: [1] } };

/** The interface of Segment Anything, for one click: what is bright is the object, wherever one clicks. */
export const tinySam = {
  encoder: tinyOnnx({
    inputs: { image: picture },
    outputs: { embedding: picture },
    nodes: [{ op: 'Identity', inputs: ['image'], outputs: ['embedding'] }],
  }),
  decoder: tinyOnnx({
    inputs: {
      image_embeddings: picture,
      // A click, and the point without a meaning that stands for "no box".
      point_coords: [1, 2, 2],
      point_labels: [1, 2],
      mask_input: [1, 1, 256, 256],
      has_mask_input: [1],
      orig_im_size: [2],
    },
    outputs: { masks: [1, 1, SIDE, SIDE], iou_predictions: [1] },
    nodes: [
      { ...brightness, inputs: ['image_embeddings'], outputs: ['masks'] },
      { op: 'Identity', inputs: ['has_mask_input'], outputs: ['iou_predictions'] },
    ],
  }),
};
