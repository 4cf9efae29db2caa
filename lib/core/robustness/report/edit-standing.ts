import { bootstrapPooled } from '../metrics/bootstrap-pooled';
import { worstEditAccuracy } from '../metrics/edits';
import type { Row } from '../types';
import { shareOf } from './accuracy';
import type { SuiteReport } from './report';
import type { RowTable, Subject } from './row-table';

const EDITS = [
  'edit.background.simpler',
  'edit.background.richer',
  'edit.background.same',
  'edit.background.other',
  'edit.size',
  'edit.position',
  'edit.direction',
  'edit.flip',
];

/** The object is as it was: a control, and no edit. */
const isEdit = ({ variant, level }: Row): boolean => variant !== 'edit.direction' || level !== 0;

/** What stands under every edit that is possible, and how often an answer stays what it was, right or wrong. */
export function editStanding(table: RowTable, seed: number): SuiteReport {
  const of = table.subjects.length;
  const rows = (subject: Subject) =>
    EDITS.flatMap((variant) => table.of(variant, subject.id))
      .filter(isEdit)
      .flatMap(({ predicted }) => {
        const clean = table.one('identity', subject.id);
        return clean
          ? [
              {
                sample: subject.id,
                truth: subject.classIndex,
                clean: clean.predicted,
                edited: predicted,
              },
            ]
          : [];
      });
  const edited = table.subjects.map(rows);
  const worst = worstEditAccuracy(edited);
  return {
    findings: [
      {
        ...shareOf(worst ? Math.round(worst.value * worst.n) : 0, worst?.n ?? 0, of),
        id: 'edit-worst',
        name: 'Accuracy under the worst edit',
        says: 'Share of images that are right under every edit that is possible for them; pictures as they are do not count.',
        unit: 'share',
      },
      {
        ...bootstrapPooled(
          edited.map((own) => own.map(({ clean, edited: said }) => Number(clean === said))),
          { seed },
        ),
        id: 'edit-consistency',
        name: 'Answers that an edit leaves as they were',
        says: 'Share of edited pictures of which the model says what it says of the picture as it is, right or wrong.',
        unit: 'share',
      },
    ],
    lines: [],
    plots: [],
    skipped: [],
    notes: [],
  };
}
