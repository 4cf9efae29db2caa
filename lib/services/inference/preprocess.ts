import sharp from 'sharp';

/** How a picture becomes what a network sees. Training and inference both use this code. */
export interface View {
  /** `whole`: all of it, squeezed to a square; `center`: its largest square. */
  kind: 'whole' | 'center';
  /** Pixels of a side. */
  side: number;
}

/** Row-major RGB, one byte a sample. */
export async function viewPicture(bytes: Uint8Array, { kind, side }: View): Promise<Buffer> {
  return sharp(bytes, { failOn: 'error' })
    .removeAlpha()
    .toColourspace('srgb')
    .resize(side, side, { fit: kind === 'whole' ? 'fill' : 'cover', kernel: 'cubic' })
    .raw()
    .toBuffer();
}

/** The same window on a label map, by the nearest pixel: labels cannot be mixed. */
export function viewLabels(
  labels: Readonly<Uint8Array>,
  width: number,
  height: number,
  { kind, side }: View,
): Uint8Array {
  const square = Math.min(width, height);
  const [left, top, wide, high] =
    kind === 'whole'
      ? [0, 0, width, height]
      : [Math.round((width - square) / 2), Math.round((height - square) / 2), square, square];
  const columns = Int32Array.from({ length: side }, (_, i) => left + Math.floor(((i + 0.5) * wide) / side));
  const seen = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    const row = (top + Math.floor(((y + 0.5) * high) / side)) * width;
    for (let x = 0; x < side; x++) seen[y * side + x] = labels[row + (columns[x] as number)] as number;
  }
  return seen;
}
