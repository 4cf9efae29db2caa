import { mean } from 'd3-array';
import { imageRfs, type NoisePair, noiseDifference } from '../suites/noise-report';
import type { Variant } from '../types';
import { SINGLE_CELL } from '../variants/samples';
import { labelSuspicionsById } from './label-quality';
import { isCorrect, type RowTable, type Subject } from './row-table';

/** What the gallery sorts by: of each image, by name. */
export function imageScores(
  table: RowTable,
  { noise, drops }: { noise: Readonly<Record<string, NoisePair>>; drops: readonly string[] },
): Map<string, Record<string, number | null>> {
  const suspicions = labelSuspicionsById(table);
  return new Map(
    table.subjects.map(({ id, agreement }) => {
      const clean = table.one('identity', id);
      const saliency = table.one('saliency', id)?.extra ?? {};
      const scores: Record<string, number | null> = {
        pTrue: clean?.pTrue ?? null,
        margin: clean?.margin ?? null,
        labelSuspicion: suspicions.get(id)?.suspicion ?? null,
        ...(typeof agreement === 'number' ? { agreement } : {}),
        ...Object.fromEntries(
          Object.entries(noise).flatMap(([name, pair]) => [
            [name, imageRfs(table, pair, id)],
            // The unnormalised difference, to find extreme images.
            [name.replace('irfs', 'noise difference'), noiseDifference(table, pair, id)],
          ]),
        ),
        ...Object.fromEntries(
          (['iou', 'delta', 'lift', 'averagePrecision', 'precision', 'recall'] as const).flatMap((name) =>
            typeof saliency[name] === 'number' ? [[`saliency ${name}`, saliency[name]]] : [],
          ),
        ),
      };
      for (const variant of drops) {
        const rows = table.of(variant, id);
        if (rows.length > 0 && clean)
          scores[`drop ${variant}`] = clean.pTrue - (mean(rows, ({ pTrue }) => pTrue) as number);
      }
      return [id, scores];
    }),
  );
}

/** Name of the score that says how often a model was right on an image in a variant, or at one of its levels. */
export const rightKey = (variant: string, level?: number | string): string =>
  level === undefined ? `right ${variant}` : `right ${variant} ${level}`;

/** Name of the score that says that an image is in a group of the report. */
const groupKey = (group: string, name: string): string => `in ${group}: ${name}`;

/** The groups of the report that an image is in. Its class is known by itself. */
export const groupScores = (
  groups: readonly { group: string; name: string; holds(subject: Subject): boolean }[],
  subject: Subject,
): Record<string, number> =>
  Object.fromEntries(
    groups
      .filter(({ group, holds }) => group !== 'Class' && holds(subject))
      .map(({ group, name }) => [groupKey(group, name), 1]),
  );

const ONLY = SINGLE_CELL[0]?.level ?? 0;

/** Not pictures that were changed, where right is what the image itself says; or pictures of other images. */
const UNCHANGED = new Set(['identity', 'saliency', 'nodes', 'attribute.insert']);

/**
 * How often the model was right on one image: in each variant, at each of its levels. What two models are compared by, and
 * what a bar or a cell of a plot chooses images by. Null where the image was asked about and the variant did not apply.
 */
export function outcomeScores(
  table: RowTable,
  variants: readonly Pick<Variant, 'id' | 'cells'>[],
  subject: Subject,
): Record<string, number | null> {
  const scores: Record<string, number | null> = {};
  for (const { id, cells } of variants) {
    if (UNCHANGED.has(id)) continue;
    const rows = table.of(id, subject.id);
    if (rows.length === 0) continue;
    const share = (own: typeof rows) => own.filter((row) => isCorrect(row, subject)).length / own.length;
    scores[rightKey(id)] = share(rows);
    // Whether a judge still saw the class decides whether the picture counts.
    const { isValidated } = rows[0]?.extra ?? {};
    if (typeof isValidated === 'number') scores[`valid ${id}`] = isValidated;
    const levels = new Set(cells.map(({ level }) => level));
    // One setting is the variant itself.
    if (levels.size < 2 && levels.has(ONLY)) continue;
    for (const level of levels) {
      const own = rows.filter((row) => row.level === level);
      if (own.length > 0) scores[rightKey(id, level)] = share(own);
    }
  }
  return scores;
}
