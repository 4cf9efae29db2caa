import type { SuiteReport } from '@/lib/core/robustness/report/report';
import type { Subject } from '@/lib/core/robustness/report/row-table';
import type { Row } from '@/lib/core/robustness/types';

export const subjectOf = (id: string, classIndex: number, given: Partial<Subject> = {}): Subject => ({
  id,
  className: ['cat', 'dog', 'bird'][classIndex] ?? 'other',
  classIndex,
  split: 'test',
  attributes: null,
  objectShare: 0.2,
  touchesEdge: false,
  confidence: 1,
  ...given,
});

/** A row of a subject, right and unsure where nothing else is said. */
export const rowOf = (
  { id, classIndex }: Subject,
  variant: string,
  given: Partial<Row> & { isRight?: boolean } = {},
): Row => {
  const { isRight = true, ...rest } = given;
  return {
    sample: id,
    variant,
    level: 0,
    trial: 0,
    reason: null,
    predicted: isRight ? classIndex : (classIndex + 1) % 2,
    pTrue: isRight ? 0.8 : 0.3,
    margin: isRight ? 1 : -1,
    extra: {},
    queries: 1,
    ...rest,
  };
};

export const findingIn = (report: SuiteReport, id: string) => {
  const found = report.findings.find((each) => each.id === id);
  if (!found) throw new Error(`There is no finding ${id}.`);
  return found;
};

export const plotIn = (report: SuiteReport, id: string) => {
  const found = report.plots.find((each) => each.id === id);
  if (!found) throw new Error(`There is no plot ${id}.`);
  return found;
};
