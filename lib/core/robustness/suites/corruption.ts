import { mean } from 'd3-array';
import { rfs } from '../metrics/benchmark-scores';
import { bootstrap } from '../metrics/estimates';
import type { ReportLine, SuiteReport } from '../report/report';
import { countByImage, isCorrect, macroAccuracy, type RowTable, type Subject } from '../report/row-table';
import { corruptions, corruptionVariants } from '../variants/corruptions/corruption-variant';
import { joinReports, onAllImages, type Setting, type Suite } from './suite';

/** Two corruptions of each family. */
const QUICK = [
  'gaussian-noise',
  'impulse-noise',
  'defocus-blur',
  'motion-blur',
  'fog',
  'contrast',
  'pixelate',
  'jpeg-compression',
];

/** One corruption of each family, for regions. */
const QUICK_MASKED = ['gaussian-noise', 'defocus-blur', 'fog', 'pixelate'];

const every = corruptions.map(({ id }) => id);

const choice = ({ preset }: Setting) =>
  preset === 'paper' ? { types: every, levels: [1, 2, 3, 4, 5] } : { types: QUICK, levels: [1, 3, 5] };

const maskedChoice = ({ preset }: Setting) =>
  preset === 'paper' ? { types: every, levels: [1, 2, 3, 4, 5] } : { types: QUICK_MASKED, levels: [3] };

export const corruption: Suite = {
  id: 'corruptions',
  version: 1,
  name: 'Common corruptions',
  description:
    'Noise, blur, weather and digital corruptions in up to five severities: whole image, object only, background only.',
  refusal: () => null,
  variants: (setting) =>
    onAllImages([
      ...corruptionVariants(choice(setting)),
      ...corruptionVariants({ ...maskedChoice(setting), where: 'object' }),
      ...corruptionVariants({ ...maskedChoice(setting), where: 'background' }),
    ]),
  report(table, setting) {
    const [whole, inRegions] = [choice(setting), maskedChoice(setting)];
    return joinReports([
      corruptionReport(
        table,
        whole.types.map((id) => ({ id, variant: `corrupt.${id}` })),
        whole.levels,
        setting.seed,
      ),
      maskedCorruptionReport(
        table,
        inRegions.types.map((id) => ({
          id,
          object: `corrupt.${id}.object`,
          background: `corrupt.${id}.background`,
        })),
        inRegions.levels,
        setting.seed,
      ),
    ]);
  },
};

/** Accuracy in every type and severity; the mean over the cells is the headline. */
export function corruptionReport(
  table: RowTable,
  types: readonly { id: string; variant: string }[],
  severities: readonly number[],
  seed: number,
): SuiteReport {
  const cell = (variant: string, severity: number, times?: ArrayLike<number>): number | null => {
    let [right, n] = [0, 0];
    table.subjects.forEach((subject, i) => {
      const row = table.of(variant, subject.id).find(({ level }) => level === severity);
      if (!row) return;
      const weight = times ? (times[i] as number) : 1;
      n += weight;
      if (isCorrect(row, subject)) right += weight;
    });
    return n === 0 ? null : right / n;
  };
  const values = types.map(({ variant }) => severities.map((severity) => cell(variant, severity)));
  const right = corruptionMatrix(table, types, severities);
  const headline = bootstrap(
    table.subjects.length,
    (times) => {
      let [sum, n] = [0, 0];
      right.forEach(({ share }, i) => {
        if (share === null) return;
        sum += share * (times[i] as number);
        n += times[i] as number;
      });
      return n === 0 ? null : sum / n;
    },
    { seed },
  );
  return {
    findings: [
      {
        ...headline,
        id: 'corruption-accuracy',
        name: 'Accuracy under common corruptions',
        says: `Mean over ${types.length} kinds and severities ${severities.join(', ')}, applied at the size of the model. Every image counts the same.`,
        unit: 'share',
      },
    ],
    lines: types.map(({ id, variant }) => {
      const own = severities.map((severity) => cell(variant, severity)).filter((value) => value !== null);
      return {
        paradigm: 'transformation',
        group: 'Common corruptions',
        name: id,
        value: mean(own) ?? null,
        low: null,
        high: null,
        n: table.subjects.length,
        of: table.subjects.length,
        filter: { variant, sort: `drop ${variant}` },
      };
    }),
    plots: [
      {
        id: 'corruptions',
        title: 'Accuracy by corruption and severity',
        says: 'Severity grows to the right.',
        kind: 'heat',
        rows: types.map(({ id }) => id),
        columns: severities.map(String),
        unit: 'share',
        values,
        filters: types.map(({ variant }) =>
          severities.map((severity) => ({ variant, level: String(severity), isRight: false })),
        ),
      },
    ],
    skipped: [],
    notes: [],
  };
}

/** Of each image: in which share of its cells it was right. */
function corruptionMatrix(
  table: RowTable,
  types: readonly { variant: string }[],
  severities: readonly number[],
): { share: number | null }[] {
  return table.subjects.map((subject) => {
    let [right, n] = [0, 0];
    for (const { variant } of types)
      for (const row of table.of(variant, subject.id)) {
        if (!severities.includes(Number(row.level))) continue;
        n += 1;
        if (isCorrect(row, subject)) right += 1;
      }
    return { share: n === 0 ? null : right / n };
  });
}

interface MaskedCorruption {
  id: string;
  /** Ids of the variants that corrupt the object or the background only. */
  object: string;
  background: string;
}

/** Foreground sensitivity under each corruption, restricted to the object or the background. */
export function maskedCorruptionReport(
  table: RowTable,
  types: readonly MaskedCorruption[],
  severities: readonly number[],
  seed: number,
): SuiteReport {
  const of = table.subjects.length;
  const both = (chosen: readonly MaskedCorruption[]) =>
    table.subjects.filter(({ id }) =>
      chosen.some(({ object, background }) => table.of(object, id).length && table.of(background, id).length),
    );
  const measured = (chosen: readonly MaskedCorruption[]) => {
    const subjects = both(chosen);
    const accuracy = {
      object: accuracyOf(table, subjects, (type) => type.object, chosen),
      background: accuracyOf(table, subjects, (type) => type.background, chosen),
    };
    const sensitivity = (times?: ArrayLike<number>) => {
      const [inside, beside] = [accuracy.object(times), accuracy.background(times)];
      return inside === null || beside === null ? null : rfs(inside, beside);
    };
    return { n: subjects.length, accuracy, sensitivity };
  };
  const all = measured(types);
  const estimate = (found: typeof all, statistic: (times?: ArrayLike<number>) => number | null) =>
    bootstrap(found.n, statistic, { seed, of });
  const each = types.map((type) => ({ type, found: measured([type]) }));
  const shown = each.filter(({ found }) => found.n > 0);
  return {
    findings: [
      {
        ...estimate(all, all.sensitivity),
        id: 'corruption-rfs',
        name: 'Foreground sensitivity under corruptions',
        says: `Above 0 the model relies on the object, below 0 on the background. Of accuracies averaged over ${types.length} kinds and severities ${severities.join(', ')}; every class counts the same.`,
        unit: 'number',
      },
      {
        ...estimate(all, all.accuracy.object),
        id: 'corruption-object',
        name: 'Accuracy with the object corrupted',
        says: 'All beside it stays as it is. Every class counts the same.',
        unit: 'share',
      },
      {
        ...estimate(all, all.accuracy.background),
        id: 'corruption-background',
        name: 'Accuracy with the background corrupted',
        says: 'The object stays as it is. Every class counts the same.',
        unit: 'share',
      },
    ],
    lines: shown.map(
      ({ type, found }): ReportLine => ({
        ...estimate(found, found.sensitivity),
        paradigm: 'transformation',
        group: 'Corruption of the object against that of the background: foreground sensitivity',
        name: type.id,
        filter: { variant: type.background, sort: `drop ${type.background}` },
      }),
    ),
    plots:
      shown.length === 0
        ? []
        : [
            {
              id: 'corruption-regions',
              title: 'Object against background, by corruption',
              says: 'Above the line, damage to the object hurts more: the model looks at the object.',
              kind: 'scatter',
              x: 'accuracy with the object corrupted',
              y: 'accuracy with the background corrupted',
              hasDiagonal: true,
              points: shown.flatMap(({ type, found }) => {
                const [x, y] = [found.accuracy.object(), found.accuracy.background()];
                return x === null || y === null
                  ? []
                  : [
                      {
                        name: type.id,
                        x,
                        y,
                        filter: { variant: type.background, sort: `drop ${type.background}` },
                      },
                    ];
              }),
            },
          ],
    skipped: [],
    notes: [],
  };
}

/** Mean class accuracy as a function of resampling weights. */
function accuracyOf(
  table: RowTable,
  subjects: readonly Subject[],
  variant: (type: MaskedCorruption) => string,
  types: readonly MaskedCorruption[],
) {
  const counts = countByImage(subjects, ({ id }) => types.flatMap((type) => table.of(variant(type), id)));
  return (times?: ArrayLike<number>) => macroAccuracy(counts, table.classes.length, times);
}
