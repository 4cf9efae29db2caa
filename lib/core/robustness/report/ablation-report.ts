import { bootstrapPooled } from '../metrics/bootstrap-pooled';
import { isRight } from './accuracy';
import type { SuiteReport } from './report';
import type { RowTable } from './row-table';

const GRAYED = 'gray.attribute';

/** The lines of it in a report. */
export const ABLATED = 'Attribute gray: accuracy lost';

/** What graying one attribute costs, over the images that have it drawn and of which it is not the whole object. */
export function ablationReport(table: RowTable, seed: number): SuiteReport {
  const costs = table.subjects.map((subject) => {
    const clean = table.one('identity', subject.id);
    return table.of(GRAYED, subject.id).flatMap((row) =>
      clean
        ? [
            {
              attribute: String(row.level),
              className: subject.className,
              fall: Number(isRight(clean, subject)) - Number(isRight(row, subject)),
              lost: clean.pTrue - row.pTrue,
            },
          ]
        : [],
    );
  });
  const attributes = [...new Set(costs.flat().map(({ attribute }) => attribute))].sort();
  if (attributes.length === 0) return { findings: [], lines: [], plots: [], skipped: [], notes: [] };
  const present = table.classes.filter((name) => costs.flat().some(({ className }) => className === name));
  const meanFall = (attribute: string | null, name: string | null): number | null => {
    const own = costs
      .flat()
      .filter(
        (each) =>
          (attribute === null || each.attribute === attribute) && (name === null || each.className === name),
      );
    return own.length === 0 ? null : (100 * own.reduce((sum, { fall }) => sum + fall, 0)) / own.length;
  };
  const estimate = (measure: 'fall' | 'lost', attribute?: string) =>
    bootstrapPooled(
      costs.map((own) =>
        own
          .filter((each) => attribute === undefined || each.attribute === attribute)
          .map((each) => each[measure]),
      ),
      { seed },
    );
  return {
    findings: [
      {
        ...estimate('fall'),
        id: 'attribute-ablation',
        name: 'Accuracy lost by graying an attribute',
        says: 'Over all attributes that are drawn and are not the whole object. Every grayed attribute counts the same.',
        unit: 'points',
      },
      {
        ...estimate('lost'),
        id: 'attribute-ablation-probability',
        name: 'Probability lost by graying an attribute',
        says: 'Of the true class: moves before the answer does. Every grayed attribute counts the same.',
        unit: 'points',
      },
    ],
    lines: attributes.map((attribute) => ({
      ...estimate('fall', attribute),
      paradigm: 'transformation',
      group: ABLATED,
      name: attribute,
      filter: { variant: GRAYED, level: attribute, sort: `drop ${GRAYED}` },
    })),
    plots: [
      {
        id: 'attribute-ablation',
        title: 'What graying an attribute costs',
        says: 'Fall of accuracy where the attribute is drawn, in points. Attributes of the whole object are left out.',
        kind: 'heat',
        rows: [...attributes, 'all'],
        columns: [...present, 'all'],
        unit: 'points',
        values: [...attributes, null].map((attribute) =>
          [...present, null].map((name) => meanFall(attribute, name)),
        ),
        filters: [...attributes, undefined].map((attribute) =>
          [...present, undefined].map((name) => ({
            ...{ variant: GRAYED, isRight: false },
            ...(attribute === undefined ? {} : { level: attribute }),
            ...(name === undefined ? {} : { className: name }),
          })),
        ),
      },
    ],
    skipped: [],
    notes: [],
  };
}
