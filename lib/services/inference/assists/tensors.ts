import sharp from 'sharp';
import { maskFromScore } from '@/lib/core/editor/region/outline-shapes';
import { area, type Mask, removeSpecks, toBitmap } from '@/lib/core/mask';

/** Sizes in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The largest size of the same proportions within a square of this side. */
export function fitWithin({ width, height }: Size, side: number): Size {
  const scale = side / Math.max(width, height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

/** Per channel, in units of the pixel values. */
interface Normalisation {
  mean: readonly [number, number, number];
  deviation: readonly [number, number, number];
}

/** Of ImageNet, on 0 … 255; what both Segment Anything and U²-Net were trained with. */
const imageNet: Normalisation = {
  mean: [123.675, 116.28, 103.53],
  deviation: [58.395, 57.12, 57.375],
};

/**
 * Interleaved red, green, blue bytes as a planar tensor of 3 × side × side. Right of the picture and below it
 * stand zeros, as Segment Anything was trained with.
 */
export function imageTensor(rgb: ArrayLike<number>, { width, height }: Size, side: number): Float32Array {
  const tensor = new Float32Array(3 * side * side);
  for (let channel = 0; channel < 3; channel++) {
    const mean = imageNet.mean[channel] as number;
    const deviation = imageNet.deviation[channel] as number;
    const plane = channel * side * side;
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        tensor[plane + y * side + x] = ((rgb[3 * (y * width + x) + channel] as number) - mean) / deviation;
  }
  return tensor;
}

/** Red, green, blue bytes of the whole picture, stretched to a size. */
export async function readPixels(bytes: Uint8Array, { width, height }: Size): Promise<Buffer> {
  return sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer();
}

/** Share of the mask below which a separate part of it is a speck of the network and not of the object. */
const SPECK = 0.005;

export interface ScoredMask {
  mask: Mask;
  /** The decoder's own estimate of the IoU. */
  score: number;
}

/**
 * Masks of a batch of prompts. The decoder can return several candidates per prompt, each with an estimate of its IoU; the
 * best one counts. Logits are positive inside.
 */
export function samMasks(
  masks: { data: Float32Array; dims: readonly number[] },
  estimates: ArrayLike<number>,
  prompts: number,
  image: Size,
): ScoredMask[] {
  const [height = 1, width = 1] = masks.dims.slice(-2);
  const plane = height * width;
  const candidates = masks.data.length / plane / prompts;
  return Array.from({ length: prompts }, (_, prompt) => {
    const first = prompt * candidates;
    let best = first;
    for (let i = first; i < first + candidates; i++)
      if ((estimates[i] as number) > (estimates[best] as number)) best = i;
    const logits = masks.data.subarray(best * plane, (best + 1) * plane);
    const mask = withoutSpecks(maskFromScore(logits, { width, height }, image));
    return { mask, score: estimates[best] as number };
  });
}

/** U²-Net's first output, between 0 and 1 and often only within a part of that: it is stretched first. */
export function saliencyMask(saliency: Float32Array, side: number, image: Size): Mask {
  let min = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of saliency) {
    min = Math.min(min, value);
    most = Math.max(most, value);
  }
  const middle = (min + most) / 2;
  const score = saliency.map((value) => value - middle);
  return withoutSpecks(maskFromScore(score, { width: side, height: side }, image));
}

function withoutSpecks(mask: Mask): Mask {
  return removeSpecks(mask, SPECK * area(mask), 8);
}

/** Logit of the pixels of a mask that a decoder starts from, as SAM 2 scales masks. */
const INSIDE_LOGIT = 10;

/**
 * A mask of the upright image as the low-resolution logits that a decoder takes. They cover the square of the encoder, in
 * which the picture has the size `frame`.
 */
export function maskLogits(mask: Mask, lowSide: number, square: { side: number; frame: Size }): Float32Array {
  const bitmap = toBitmap(mask);
  const { width, height } = mask;
  const across = (square.side / lowSide) * (width / square.frame.width);
  const down = (square.side / lowSide) * (height / square.frame.height);
  return Float32Array.from({ length: lowSide * lowSide }, (_, i) => {
    const x = Math.floor(((i % lowSide) + 0.5) * across);
    const y = Math.floor((Math.floor(i / lowSide) + 0.5) * down);
    const isInside = x < width && y < height && bitmap[y * width + x] === 1;
    return isInside ? INSIDE_LOGIT : -INSIDE_LOGIT;
  });
}
