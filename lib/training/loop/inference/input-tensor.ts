import type { ServingContract } from '../serving-contract';
import { seenPicture } from './seen-picture';

/** Writes a picture as the network takes it, planar and in its own units, at a place of a batch. */
export async function writeInput(
  bytes: Uint8Array,
  input: ServingContract['input'],
  into: Float32Array,
): Promise<void> {
  const pixels = await seenPicture(bytes, input);
  const { side } = input;
  for (let channel = 0; channel < 3; channel++) {
    const [mean, std] = [input.mean[channel] ?? 0, input.std[channel] ?? 1];
    for (let y = 0; y < side; y++) {
      const row = y * side;
      const to = (channel * side + y) * side;
      for (let x = 0; x < side; x++)
        into[to + x] = ((pixels[3 * (row + x) + channel] as number) / 255 - mean) / std;
    }
  }
}
