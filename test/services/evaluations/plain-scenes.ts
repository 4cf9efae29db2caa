import type { Picture, Region } from '@/lib/core/robustness/picture';
import { sampleOf, surroundingsOf } from './samples';

export const SIDE = 32;
export const flat = (value: number, side = SIDE): Picture => ({
  width: side,
  height: side,
  data: new Float32Array(3 * side * side).fill(value),
});
export const where = (picture: Picture, is: (value: number) => boolean): Region =>
  Uint8Array.from(picture.data.subarray(0, picture.width * picture.height), (value) => Number(is(value)));
export const region = (rows: readonly (readonly number[])[]): Region => Uint8Array.from(rows.flat());
export const box = (x: number, y: number, width: number, height: number, side = SIDE): Region =>
  Uint8Array.from({ length: side * side }, (_, i) =>
    Number(i % side >= x && i % side < x + width && i >= y * side && i < (y + height) * side),
  );
/** Without donors. */
export const alone = surroundingsOf([]);

/** A black object on light gray: where the object went can be read off. */
export const onGray = (object: Region) => {
  const picture = flat(0.8);
  return sampleOf(
    'edited',
    { ...picture, data: picture.data.map((value, i) => (object[i % object.length] ? 0 : value)) },
    object,
  );
};
export const isObject = (value: number) => value < 0.4;
