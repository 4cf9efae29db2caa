import { mapPicture, type Picture } from '../../picture';
import { type Region, regionBox } from '../../region';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * Covers `where` with copies of the largest strip of background beside the box of the object: left, right, above or
 * below. Null where the box leaves no strip.
 */
export function filledByTiles(picture: Picture, object: Region, where: Region): Picture | null {
  const { width, height, data } = picture;
  const box = regionBox(object, width);
  const strip = box && largestStrip(box, width, height);
  if (!box || !strip) return null;
  return mapPicture(picture, (value, pixel, channel) => {
    if (!where[pixel]) return value;
    const x = pixel % width;
    const y = (pixel - x) / width;
    const fromX = strip.x + modulo(x - box.x, strip.width);
    const fromY = strip.y + modulo(y - box.y, strip.height);
    return data[(channel * height + fromY) * width + fromX] as number;
  });
}

function largestStrip(box: Box, width: number, height: number): Box | null {
  const right = box.x + box.width;
  const bottom = box.y + box.height;
  const strips: Box[] = [
    { x: 0, y: 0, width: box.x, height },
    { x: right, y: 0, width: width - right, height },
    { x: 0, y: 0, width, height: box.y },
    { x: 0, y: bottom, width, height: height - bottom },
  ];
  const area = (strip: Box) => strip.width * strip.height;
  const largest = strips.reduce((best, strip) => (area(strip) > area(best) ? strip : best));
  return area(largest) > 0 ? largest : null;
}

const modulo = (a: number, n: number): number => ((a % n) + n) % n;
