import { viewLabels, viewPicture } from '../preprocess';
import type { ServingContract } from '../serving-contract';
import { type NetworkInput, storedView } from './view-window';

/** What the network is given of a picture: row-major RGB, one byte a sample, of its own size. */
export async function seenPicture(bytes: Uint8Array, input: NetworkInput): Promise<Uint8Array> {
  const view = storedView(input);
  return middleOf(await viewPicture(bytes, view), view.side, input.side, 3);
}

/** The same window on a label map. */
export function seenLabels(
  labels: Readonly<Uint8Array>,
  width: number,
  height: number,
  input: NetworkInput,
): Uint8Array {
  const view = storedView(input);
  return middleOf(viewLabels(labels, width, height, view), view.side, input.side, 1);
}

/** As the trainer cuts it: of an odd rest the smaller half lies before. */
function middleOf(stored: Uint8Array, from: number, side: number, samples: number): Uint8Array {
  if (from === side) return stored;
  const skip = Math.floor((from - side) / 2);
  const middle = new Uint8Array(samples * side * side);
  for (let y = 0; y < side; y++) {
    const start = samples * ((y + skip) * from + skip);
    middle.set(stored.subarray(start, start + samples * side), samples * y * side);
  }
  return middle;
}

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
