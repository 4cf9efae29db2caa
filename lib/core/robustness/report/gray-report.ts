import { bootstrapMean } from '../metrics/bootstrap';
import { accuracyIn, isRight } from './accuracy';
import type { Finding, SuiteReport } from './report';
import type { RowTable } from './row-table';

const regions = [
  {
    id: 'gray-background',
    variant: 'gray.background',
    name: 'Accuracy on gray backgrounds',
    fall: 'Accuracy lost on gray backgrounds',
    says: 'All but the object is gray. High: the object is enough. Every image counts the same.',
  },
  {
    id: 'gray-object',
    variant: 'gray.object',
    name: 'Accuracy on gray objects',
    fall: 'Accuracy lost on gray objects',
    says: 'The object is gray. High: the background gives the class away. Every image counts the same.',
  },
] as const;

/** How much accuracy a gray background, or a gray object, costs. */
export function grayReport(table: RowTable, seed: number): SuiteReport {
  const findings = regions
    .filter(({ variant }) => table.has(variant))
    .flatMap(({ id, variant, name, says, fall }): Finding[] => [
      { ...accuracyIn(table, variant, table.subjects), id, name, says, unit: 'share' },
      {
        ...bootstrapMean(
          table.subjects.map((subject) => {
            const [clean, gray] = [table.one('identity', subject.id), table.one(variant, subject.id)];
            return clean && gray ? Number(isRight(clean, subject)) - Number(isRight(gray, subject)) : null;
          }),
          { seed },
        ),
        id: `${id}-fall`,
        name: fall,
        says: 'Accuracy on the clean pictures minus that on the gray ones, of the same images. Every image counts the same.',
        unit: 'points',
      },
    ]);
  return { findings, plots: [], lines: [], skipped: [], notes: [] };
}
