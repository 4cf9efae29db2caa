import { alignment } from '../metrics/saliency-alignment';
import { saliencyReport } from '../report/saliency-report';
import type { Variant } from '../types';
import { ONE_CELL } from '../variants/cells-of';
import { onAll, type Suite } from './suite';

/** Where the model looks for the class it sees, against the object. */
const looked: Variant = {
  id: 'saliency',
  version: 2,
  says: 'Where the model looks, against the object.',
  paradigm: 'transformation',
  needs: ['object mask'],
  parameters: { target: 'predicted' },
  cells: ONE_CELL,
  runs: 1,
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
};

export const saliency: Suite = {
  id: 'saliency',
  name: 'Where the model looks',
  says: 'Class maps against the masks that people drew: IoU, difference of densities, precision, recall.',
  refusal: () => null,
  variants: () => onAll([looked]),
  report: (table, { seed }) => saliencyReport(table, seed),
};
