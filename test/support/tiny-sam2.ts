import { tinyOnnx } from './tiny-onnx';
import { brightness, SIDE } from './tiny-sam';

const picture = [1, 3, SIDE, SIDE];
const copy = (from: string, to: string) => ({ op: 'Identity', inputs: [from], outputs: [to] });

/**
 * The interface of SAM 2, for any number of prompts at once: a box shows what is bright, a click shows what is dark. So the
 * masks of a batch tell whether each prompt was answered by itself.
 */
export const tinySam2 = {
  encoder: tinyOnnx({
    inputs: { image: picture },
    outputs: { high_res_feats_0: picture, high_res_feats_1: picture, image_embed: picture },
    nodes: ['high_res_feats_0', 'high_res_feats_1', 'image_embed'].map((name) => copy('image', name)),
  }),
  decoder: tinyOnnx({
    weights: {
      two: { dims: [1], values: [2] },
      column: { dims: [4], values: [-1, 1, 1, 1], isWhole: true },
    },
    inputs: {
      image_embed: picture,
      high_res_feats_0: picture,
      high_res_feats_1: picture,
      point_coords: ['n', 'k', 2],
      point_labels: ['n', 'k'],
      mask_input: ['n', 1, 256, 256],
      has_mask_input: [1],
    },
    outputs: { masks: ['n', 1, SIDE, SIDE], iou_predictions: ['n', 1] },
    nodes: [
      { ...brightness, inputs: ['image_embed'], outputs: ['bright'] },
      // 3 for a box, whose corners have the labels 2 and 3; 1 for a click.
      { op: 'ReduceMax', inputs: ['point_labels'], outputs: ['iou_predictions'], ints: { axes: [1] } },
      { op: 'Sub', inputs: ['iou_predictions', 'two'], outputs: ['sign'] },
      { op: 'Reshape', inputs: ['sign', 'column'], outputs: ['signs'] },
      { op: 'Mul', inputs: ['bright', 'signs'], outputs: ['masks'] },
    ],
  }),
};
