import { bootstrapMean } from '../metrics/estimates';
import type { Finding, SuiteReport } from '../report/report';
import { estimateShare, isCorrect, measureAccuracy, type RowTable } from '../report/row-table';
import {
  mixBackground,
  onlyBackgroundBox,
  onlyBackgroundTiled,
  onlyObject,
  withoutObject,
} from '../variants/backgrounds';
import { onAllImages, type Suite } from './suite';

export const background: Suite = {
  id: 'backgrounds',
  version: 1,
  name: 'Backgrounds',
  description: 'Objects on backgrounds of the same and other classes, objects alone, backgrounds alone.',
  refusal: () => null,
  variants: ({ preset }) =>
    onAllImages([
      mixBackground('same'),
      mixBackground('other'),
      onlyObject(),
      withoutObject(),
      ...(preset === 'paper' ? [mixBackground('next'), onlyBackgroundBox(), onlyBackgroundTiled()] : []),
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

/** Accuracy with exchanged backgrounds: does the model follow the object or the background? */
export function backgroundReport(table: RowTable, seed: number): SuiteReport {
  const gap = bootstrapMean(
    table.subjects.map((subject) => {
      const [same, other] = [table.one('mix.same', subject.id), table.one('mix.other', subject.id)];
      return same && other ? Number(isCorrect(same, subject)) - Number(isCorrect(other, subject)) : null;
    }),
    { seed },
  );
  let [follows, mixBackground] = [0, 0];
  for (const { id, classIndex } of table.subjects)
    for (const row of table.of('mix.other', id)) {
      mixBackground += 1;
      if (row.predicted !== classIndex && row.predicted === row.extra.backgroundClass) follows += 1;
    }
  const findings: Finding[] = [
    {
      ...gap,
      id: 'background-gap',
      name: 'Background gap',
      says: 'Accuracy on backgrounds of the same class minus accuracy on backgrounds of other classes. 0 means that backgrounds do not matter.',
      unit: 'points',
    },
    {
      ...estimateShare(follows, mixBackground, table.subjects.length),
      id: 'background-follow',
      name: 'Background following rate',
      says: 'Share of objects on a background of another class that are predicted as that class.',
      unit: 'share',
    },
  ];
  const shown = Object.entries(mixes).filter(([variant]) => table.has(variant));
  const estimates = shown.map(([variant, name]) => ({
    variant,
    name,
    ...measureAccuracy(table, variant, table.subjects),
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
        says: 'Without the object, only the background carries information.',
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
