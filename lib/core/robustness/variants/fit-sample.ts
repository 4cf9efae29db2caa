import { warped } from '../pixels/warped';
import type { Region } from '../region';
import type { Sample } from '../types';

/** A sample at another size: the middle of it in the new proportions, resized. Regions by the nearest pixel. */
export function fitSample(sample: Sample, width: number, height: number): Sample {
  const { picture } = sample;
  if (picture.width === width && picture.height === height) return sample;
  const scale = Math.min(picture.width / width, picture.height / height);
  const atX = (x: number) => (x + 0.5 - width / 2) * scale + picture.width / 2 - 0.5;
  const atY = (y: number) => (y + 0.5 - height / 2) * scale + picture.height / 2 - 0.5;
  const region = (given: Region): Region =>
    Uint8Array.from({ length: width * height }, (_, i) => {
      const x = i % width;
      const [fromX, fromY] = [Math.round(atX(x)), Math.round(atY((i - x) / width))];
      const within = (at: number, n: number) => Math.min(Math.max(at, 0), n - 1);
      return given[within(fromY, picture.height) * picture.width + within(fromX, picture.width)] as number;
    });
  const regions = (given: Readonly<Record<string, Region>>) =>
    Object.fromEntries(Object.entries(given).map(([id, each]) => [id, region(each)]));
  return {
    ...sample,
    picture: warped(
      picture,
      (place) => {
        place.x = atX(place.x);
        place.y = atY(place.y);
      },
      { width, height },
    ),
    object: sample.object && region(sample.object),
    parts: regions(sample.parts),
    attributeRegions: regions(sample.attributeRegions),
  };
}
