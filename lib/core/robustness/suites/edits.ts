import { editReport } from '../report/edit-report';
import { editStanding } from '../report/edit-standing';
import { shapeReport } from '../report/shape-report';
import { backgroundEdit } from '../variants/edits/background';
import { directionEdit, flipEdit } from '../variants/edits/direction';
import { pasteBack } from '../variants/edits/paste-back';
import { positionEdit, positionGrid } from '../variants/edits/position';
import { sizeEdit } from '../variants/edits/size';
import { edges } from '../variants/shape/edges';
import { filledSilhouette } from '../variants/shape/filled-silhouette';
import { grayscale } from '../variants/shape/grayscale';
import { silhouette } from '../variants/shape/silhouette';
import { joined, onAll, type Suite } from './suite';

export const edits: Suite = {
  id: 'edits',
  name: 'Edited objects',
  says: 'The object moved, turned and resized, on simpler and busier backgrounds; shape against texture.',
  refusal: () => null,
  variants: ({ preset }) =>
    onAll([
      pasteBack(),
      backgroundEdit('simpler'),
      backgroundEdit('other'),
      ...(preset === 'paper' ? [backgroundEdit('richer'), backgroundEdit('same')] : []),
      sizeEdit(preset === 'paper' ? undefined : [0.1, 0.05]),
      positionEdit(preset === 'paper' ? 3 : 1),
      positionGrid(),
      directionEdit(preset === 'paper' ? undefined : [-45, 45]),
      ...(preset === 'paper' ? [flipEdit()] : []),
      silhouette(),
      filledSilhouette(),
      grayscale(),
      edges(),
    ]),
  report: (table, { seed }) =>
    joined([editReport(table, seed), editStanding(table, seed), shapeReport(table)]),
};
