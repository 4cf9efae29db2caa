import type { View } from '../preprocess';
import type { ServingContract } from '../serving-contract';

/** A rectangle of the upright picture, in pixels that need not be whole. */
export interface Window {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type NetworkInput = Pick<ServingContract['input'], 'side' | 'view'>;

/** What is stored for a network of this size: somewhat more, where it looks at the middle (as `viewOf` of a run). */
export const storedView = ({ side, view }: NetworkInput): View => ({
  kind: view,
  side: view === 'center' ? Math.round((side * 256) / 224) : side,
});

/** The part of a picture that the network sees. */
export function seenWindow(
  input: NetworkInput,
  { width, height }: { width: number; height: number },
): Window {
  if (input.view === 'whole') return { left: 0, top: 0, width, height };
  const square = Math.min(width, height);
  const stored = storedView(input).side;
  const seen = (square * input.side) / stored;
  const before = (square * Math.floor((stored - input.side) / 2)) / stored;
  return {
    left: (width - square) / 2 + before,
    top: (height - square) / 2 + before,
    width: seen,
    height: seen,
  };
}
