import { CHANNELS, clampToUnit, emptyPicture, type Picture, planeOf } from '../picture';

/** Bilinear sample at a fractional position; pixel centres are at integers and borders are repeated. */
export function sampleBilinear(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  x: number,
  y: number,
): number {
  const cx = Math.min(Math.max(x, 0), width - 1);
  const cy = Math.min(Math.max(y, 0), height - 1);
  const left = Math.floor(cx);
  const top = Math.floor(cy);
  const across = cx - left;
  const down = cy - top;
  const first = top * width + left;
  const right = left + 1 < width ? 1 : 0;
  const second = first + (top + 1 < height ? width : 0);
  const a = plane[first] as number;
  const c = plane[second] as number;
  const above = a + ((plane[first + right] as number) - a) * across;
  const below = c + ((plane[second + right] as number) - c) * across;
  return above + (below - above) * down;
}

/** Fractional position; one object is reused for all pixels. */
export interface Place {
  x: number;
  y: number;
}

/** Warps a picture: `find` maps each target position to its source position in place. */
export function warpPicture(
  picture: Picture,
  find: (place: Place) => void,
  { width, height }: { width: number; height: number } = picture,
): Picture {
  const out = emptyPicture({ width, height, data: picture.data });
  const planes = Array.from({ length: CHANNELS }, (_, channel) => planeOf(picture, channel));
  const place = { x: 0, y: 0 };
  for (let y = 0, i = 0; y < height; y++)
    for (let x = 0; x < width; x++, i++) {
      place.x = x;
      place.y = y;
      find(place);
      for (let channel = 0; channel < CHANNELS; channel++)
        out.data[channel * width * height + i] = clampToUnit(
          sampleBilinear(planes[channel] as Float32Array, picture.width, picture.height, place.x, place.y),
        );
    }
  return out;
}

/** Bilinear resize with half-pixel centres (as in OpenCV). */
export function resizeBilinear(
  map: ArrayLike<number>,
  width: number,
  height: number,
  toWidth: number,
  toHeight: number,
): Float32Array {
  const out = new Float32Array(toWidth * toHeight);
  const columns = places(width, toWidth);
  const rows = places(height, toHeight);
  rows.forEach(({ low: top, high: bottom, share: down }, y) => {
    columns.forEach(({ low: left, high: right, share: across }, x) => {
      const above = blend(map[top * width + left] as number, map[top * width + right] as number, across);
      const below = blend(
        map[bottom * width + left] as number,
        map[bottom * width + right] as number,
        across,
      );
      out[y * toWidth + x] = blend(above, below, down);
    });
  });
  return out;
}

const blend = (a: number, b: number, share: number): number => a + (b - a) * share;

function places(from: number, to: number): { low: number; high: number; share: number }[] {
  return Array.from({ length: to }, (_, i) => {
    const at = Math.min(Math.max(((i + 0.5) * from) / to - 0.5, 0), from - 1);
    const low = Math.floor(at);
    return { low, high: Math.min(low + 1, from - 1), share: at - low };
  });
}

/** Bilinear resize; returns the same object if the size is equal. */
export function resizePicture(
  picture: Picture,
  { width, height }: { width: number; height: number },
): Picture {
  if (picture.width === width && picture.height === height) return picture;
  const out = emptyPicture({ width, height, data: new Float32Array() });
  const area = picture.width * picture.height;
  for (let channel = 0; channel < CHANNELS; channel++) {
    const plane = picture.data.subarray(channel * area, (channel + 1) * area);
    out.data.set(
      resizeBilinear(plane, picture.width, picture.height, width, height),
      channel * width * height,
    );
  }
  return out;
}

/** Enlarges the centre of a plane. */
export function zoomPlane(
  plane: ArrayLike<number>,
  width: number,
  height: number,
  factor: number,
): Float64Array {
  const across = placesOf(width, factor);
  const down = placesOf(height, factor);
  const out = new Float64Array(width * height);
  for (let y = 0, i = 0; y < height; y++) {
    const top = (down.low[y] as number) * width;
    const bottom = (down.high[y] as number) * width;
    const share = down.share[y] as number;
    for (let x = 0; x < width; x++, i++) {
      const left = across.low[x] as number;
      const right = across.high[x] as number;
      const part = across.share[x] as number;
      const a = plane[top + left] as number;
      const c = plane[bottom + left] as number;
      const above = a + ((plane[top + right] as number) - a) * part;
      const below = c + ((plane[bottom + right] as number) - c) * part;
      out[i] = above + (below - above) * share;
    }
  }
  return out;
}

/** Interpolation indices and weights of an enlarged line. */
function placesOf(n: number, factor: number) {
  const [low, high, share] = [new Int32Array(n), new Int32Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    const at = (n - 1) / 2 + (i - (n - 1) / 2) / factor;
    low[i] = Math.floor(at);
    high[i] = Math.min(Math.floor(at) + 1, n - 1);
    share[i] = at - Math.floor(at);
  }
  return { low, high, share };
}

/** Reflects an index into 0 … n − 1; the border pixel is repeated (… b a | a b …). */
export function mirrorIndex(at: number, n: number): number {
  const period = 2 * n;
  const within = ((at % period) + period) % period;
  return within < n ? within : period - 1 - within;
}

/** Reflects a fractional position; pixel centres are at integers. */
export function mirrorPosition(at: number, n: number): number {
  const period = 2 * n;
  const within = (((at + 0.5) % period) + period) % period;
  return (within < n ? within : period - within) - 0.5;
}
