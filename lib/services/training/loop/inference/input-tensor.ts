import type { ServingContract } from '@/lib/services/inference/serving-contract';
import { seenPicture } from './seen-picture';

/** Writes a picture as the network takes it, in its own order and units, at a place of a batch. */
export async function writeInput(
  bytes: Uint8Array,
  input: ServingContract['input'],
  into: Float32Array,
): Promise<void> {
  const pixels = await seenPicture(bytes, input);
  const { side } = input;
  for (let channel = 0; channel < 3; channel++) {
    const [mean, std] = [input.mean[channel] ?? 0, input.std[channel] ?? 1];
    const place = input.channels === 'RGB' ? channel : 2 - channel;
    const [first, step] = input.layout === 'NCHW' ? [place * side * side, 1] : [place, 3];
    for (let i = 0; i < side * side; i++)
      into[first + i * step] = ((pixels[3 * i + channel] as number) / 255 - mean) / std;
  }
}
