import { backgroundReport } from '../report/background-report';
import {
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '../variants/background/alone';
import { mixed } from '../variants/background/mixed';
import { onAll, type Suite } from './suite';

export const background: Suite = {
  id: 'backgrounds',
  name: 'Other backgrounds',
  says: 'Objects on backgrounds of the same and of other classes, alone, and backgrounds without them.',
  refusal: () => null,
  variants: ({ preset }) =>
    onAll([
      mixed('same'),
      mixed('other'),
      onlyObject(),
      withoutObject(),
      ...(preset === 'paper' ? [mixed('next'), onlyBackgroundBox(), onlyBackgroundTiled()] : []),
    ]),
  report: (table, { seed }) => backgroundReport(table, seed),
};
