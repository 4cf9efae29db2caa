import { mean } from 'd3-array';
import { suspicionsOf } from './label-quality';
import type { NoisePair } from './noise-report';
import { imageRfs, noiseDifference } from './noise-report';
import type { RowTable } from './row-table';

/** What the gallery sorts by: of each image, by name. */
export function imageScores(
  table: RowTable,
  { noise, drops }: { noise: Readonly<Record<string, NoisePair>>; drops: readonly string[] },
): Map<string, Record<string, number | null>> {
  const suspicions = suspicionsOf(table);
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
            // What the extreme images are found by: it does not divide by what is possible.
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
