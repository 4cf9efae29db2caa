import type { Picture } from '../../picture';
import { invertedRegion, type Region, regionArea } from '../../region';
import type { Variant } from '../../types';
import { ONE_CELL } from '../cells-of';
import { filled } from '../compose';
import { objectOf, TINY } from '../object-of';
import { boxRegion } from './box-region';
import { filledByTiles } from './tile';

const BLACK = 0;

/** One of the object and its background without the other; null where the box of the object leaves nothing. */
const alone = (
  id: string,
  says: string,
  show: (picture: Picture, object: Region) => Picture | null,
): Variant => ({
  id,
  version: 1,
  says,
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { tiny: TINY },
  cells: ONE_CELL,
  runs: 1,
  apply(sample) {
    const found = objectOf(sample);
    if ('invalid' in found) return found;
    const picture = show(sample.picture, found.object);
    return picture ? { picture } : { invalid: 'mask-full' };
  },
});

/** ImageNet-9's "only-fg". */
export const onlyObject = (): Variant =>
  alone('only.object', 'The object on black.', (picture, object) =>
    filled(picture, invertedRegion(object), BLACK),
  );

/** "no-fg": its outline still shows. */
export const withoutObject = (): Variant =>
  alone('no.object', 'The object is cut out: its outline is black.', (picture, object) =>
    filled(picture, object, BLACK),
  );

/** "only-bg-b": not even the outline is left. */
export const onlyBackgroundBox = (): Variant =>
  alone('only.background.box', 'The box of the object is black.', (picture, object) => {
    const box = boxRegion(object, picture.width);
    return regionArea(box) === box.length ? null : filled(picture, box, BLACK);
  });

/** "only-bg-t". */
export const onlyBackgroundTiled = (): Variant =>
  alone(
    'only.background.tiled',
    'The box of the object is covered by copies of the background.',
    (picture, object) => filledByTiles(picture, object, boxRegion(object, picture.width)),
  );
