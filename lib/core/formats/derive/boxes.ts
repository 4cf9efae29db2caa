import { boundingBox, isEmpty, type Mask } from '@/lib/core/mask';
import { RunBuilder } from '@/lib/core/mask/runs';

export const boxesRule =
  'Every mask becomes its tight filled rectangle: from its first to its last column and row, both included. Rectangles may overlap; each format says who keeps a shared pixel.';

/** The tight filled rectangle of a mask; an empty mask stays empty. */
export function boxMask(mask: Mask): Mask {
  if (isEmpty(mask)) return mask;
  const [x, y, width, height] = boundingBox(mask);
  const runs = new RunBuilder();
  for (let column = x; column < x + width; column++) {
    const from = column * mask.height + y;
    runs.add(from, from + height);
  }
  return runs.build(mask.height, mask.width);
}
