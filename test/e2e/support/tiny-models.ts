import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tinyOnnx } from '../../support/tiny-onnx';

const SIDE = 64;
const picture = [1, 3, SIDE, SIDE];

/** A model with the interface of Segment Anything that takes what is bright for the object, and its files. */
export function tinyModels(): { TESSERA_SAM_ENCODER: string; TESSERA_SAM_DECODER: string } {
  const folder = path.resolve('test-results/models');
  mkdirSync(folder, { recursive: true });
  const encoder = path.join(folder, 'tiny-encoder.onnx');
  const decoder = path.join(folder, 'tiny-decoder.onnx');
  writeFileSync(
    encoder,
    tinyOnnx({
      inputs: { image: picture },
      outputs: { embedding: picture },
      nodes: [{ op: 'Identity', inputs: ['image'], outputs: ['embedding'] }],
    }),
  );
  writeFileSync(
    decoder,
    tinyOnnx({
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
        { op: 'ReduceMean', ints: { axes: [1] }, inputs: ['image_embeddings'], outputs: ['masks'] },
        { op: 'Identity', inputs: ['has_mask_input'], outputs: ['iou_predictions'] },
      ],
    }),
  );
  return { TESSERA_SAM_ENCODER: encoder, TESSERA_SAM_DECODER: decoder };
}
