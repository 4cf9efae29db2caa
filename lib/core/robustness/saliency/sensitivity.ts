import { CHANNELS, type Picture } from '../picture';

/**
 * How far small noise in a tile moves a class: the length of its gradient there, of all colours, for so many tiles along
 * each side. As fine as one likes, whatever the maps inside the network are.
 */
export function sensitivityMap(
  gradient: ArrayLike<number>,
  { width, height }: Pick<Picture, 'width' | 'height'>,
  tiles: number,
): { width: number; height: number; data: Float32Array } {
  const [columns, rows] = [Math.min(tiles, width), Math.min(tiles, height)];
  const squares = new Float64Array(columns * rows);
  const pixels = new Float64Array(columns * rows);
  for (let y = 0, pixel = 0; y < height; y++)
    for (let x = 0; x < width; x++, pixel++) {
      const tile = Math.floor((y * rows) / height) * columns + Math.floor((x * columns) / width);
      pixels[tile] = (pixels[tile] as number) + 1;
      for (let channel = 0; channel < CHANNELS; channel++)
        squares[tile] =
          (squares[tile] as number) + (gradient[channel * width * height + pixel] as number) ** 2;
    }
  // Of a pixel: tiles that a side does not divide evenly into differ in size.
  const data = Float32Array.from(squares, (sum, tile) => Math.sqrt(sum / (pixels[tile] as number)));
  return { width: columns, height: rows, data };
}
