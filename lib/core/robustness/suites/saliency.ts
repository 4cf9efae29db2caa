import { alignment } from '../metrics/saliency-alignment';
import { saliencyReport } from '../report/saliency-report';
import { TILES } from '../saliency/look';
import type { Variant } from '../types';
import { ONE_CELL } from '../variants/cells-of';
import { onAll, type Setting, type Suite } from './suite';

/** Where the model looks for the class it sees, against the object. */
const looked = (runs: number): Variant => ({
  id: 'saliency',
  version: 3,
  says: 'Where the model looks, against the object.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { target: 'predicted' },
  cells: ONE_CELL,
  runs,
  async apply({ picture, object }, _cell, _chance, around) {
    if (!object) return { invalid: 'mask-missing' };
    if (!around.saliency) return { invalid: 'not-finite' };
    const [logits] = await around.query([picture]);
    const predicted = (logits as Float32Array).indexOf(Math.max(...(logits as Float32Array)));
    const { map, by } = await around.saliency(picture, predicted);
    const { isEmpty, ...found } = alignment(map, object);
    if (found.iou === null) return { invalid: 'mask-empty' };
    return { picture, extra: { ...found, by, isEmpty: Number(isEmpty) } };
  },
});

/** Hiding tiles asks once for each of them. */
const runsOf = ({ looking }: Setting['offers']): number => (looking === 'occlusion' ? 1 + TILES ** 2 : 1);

export const saliency: Suite = {
  id: 'saliency',
  name: 'Where the model looks',
  says: 'Class maps, or what tiles of the picture matter, against the masks that people drew: IoU, difference of densities, precision, recall.',
  refusal: () => null,
  variants: ({ offers }) => onAll([looked(runsOf(offers))]),
  report: (table, { seed }) => saliencyReport(table, seed),
};
