import type { Dataset, DatasetImage } from '@/lib/core/formats/dataset';
import { difference, type Mask, rasterizePolygons, union } from '@/lib/core/mask';
import { sceneDataset } from '../../../support/formats';

/** Pictures are drawn once per test file: drawing takes longer than writing. */
function once(make: () => Promise<Dataset>): () => Promise<Dataset> {
  let made: Promise<Dataset> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** A ring and a dot: a hole and two pieces, which polygons alone cannot hold. */
export function ringAndDot(height: number, width: number): Mask {
  const square = (x: number, y: number, side: number) =>
    rasterizePolygons([[x, y, x + side, y, x + side, y + side, x, y + side]], height, width);
  return union(difference(square(4, 4, 20), square(9, 9, 8)), square(40, 30, 3));
}

const odd = (image: DatasetImage, index: number): DatasetImage => {
  const [first] = image.objects;
  if (index !== 1 || !first) return image;
  const mask = ringAndDot(image.height, image.width);
  return {
    ...image,
    columns: { 'taken by': 'Ann & "Bob" <x>', camera: 'π' },
    objects: [{ ...first, parts: first.parts.map((part, at) => (at === 0 ? { ...part, mask } : part)) }],
  };
};

/** One object per picture, with parts of which one has a hole and two pieces. */
export const partDataset = once(() =>
  sceneDataset('part-imagenet', 6, { classNames: ['Quadruped', 'Car'], change: odd }),
);

/** Attributes, some of them with masks; one image of which only the class may be used. */
export const attributeDataset = once(() =>
  sceneDataset('rival10', 4, {
    classNames: ['dog', 'car'],
    splits: ['train', 'test'],
    change: (image, index) =>
      index === 3 ? { ...image, hasMasks: false, objects: [], attributeMasks: [] } : image,
  }),
);

/** Several objects in a picture. */
export const streetDataset = once(() => sceneDataset('cityscapes-parts', 3, { splits: ['train', 'val'] }));
