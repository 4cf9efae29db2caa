import { bootstrapMean } from '../metrics/estimate';
import type { Finding, SuiteReport } from '../report/report';
import { accuracyIn, isRight, type RowTable, shareOf } from '../report/row-table';
import {
  mixed,
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '../variants/backgrounds';
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

const mixes = {
  'mix.same': 'another image of its class',
  'mix.other': 'an image of another class',
  'mix.next': 'the next class',
  'only.object': 'black, object only',
  'no.object': 'object cut out',
  'only.background.box': 'its box cut out',
  'only.background.tiled': 'its box covered by the background',
} as const;

/** Objects on other backgrounds: does the model follow the object or what is behind it? */
export function backgroundReport(table: RowTable, seed: number): SuiteReport {
  const gap = bootstrapMean(
    table.subjects.map((subject) => {
      const [same, other] = [table.one('mix.same', subject.id), table.one('mix.other', subject.id)];
      return same && other ? Number(isRight(same, subject)) - Number(isRight(other, subject)) : null;
    }),
    { seed },
  );
  let [follows, mixed] = [0, 0];
  for (const { id, classIndex } of table.subjects)
    for (const row of table.of('mix.other', id)) {
      mixed += 1;
      if (row.predicted !== classIndex && row.predicted === row.extra.backgroundClass) follows += 1;
    }
  const findings: Finding[] = [
    {
      ...gap,
      id: 'background-gap',
      name: 'Background gap',
      says: 'Accuracy on backgrounds of the same class minus that on backgrounds of other classes. 0: backgrounds do not matter. Every image counts the same.',
      unit: 'points',
    },
    {
      ...shareOf(follows, mixed, table.subjects.length),
      id: 'background-follow',
      name: 'Follows the background',
      says: 'Share of objects on another class’s background that are taken for that class.',
      unit: 'share',
    },
  ];
  const shown = Object.entries(mixes).filter(([variant]) => table.has(variant));
  const estimates = shown.map(([variant, name]) => ({
    variant,
    name,
    ...accuracyIn(table, variant, table.subjects),
  }));
  return {
    findings,
    lines: estimates.map(({ variant, ...estimate }) => ({
      ...estimate,
      paradigm: 'transformation',
      group: 'Other backgrounds',
      filter: { variant, sort: `drop ${variant}` },
    })),
    plots: [
      {
        id: 'backgrounds',
        title: 'Accuracy on other backgrounds',
        says: 'Pictures without their object can be told by the background only.',
        kind: 'bars',
        y: 'accuracy',
        bars: estimates.map(({ variant, name, value, low, high }) => ({
          ...{ name, value, low, high },
          filter: { variant, isRight: false, sort: `drop ${variant}` },
        })),
      },
    ],
    skipped: [],
    notes: [],
  };
}
