import { mean } from 'd3-array';
import { inArray, sql } from 'drizzle-orm';
import { type Db, tables } from '@/db';
import { ABLATED } from '@/lib/core/robustness/report/ablation-report';
import type { Plot } from '@/lib/core/robustness/report/report';

const { evaluations } = tables;

/** What graying an attribute costs each of several models, on the same images. One statement. */
export async function ablationByModel(
  db: Db,
  models: readonly { id: string; model: string }[],
): Promise<Plot[]> {
  if (models.length < 2) return [];
  const found = await db.execute<{ id: string; attribute: string; value: number | null }>(sql`
    select e.id, line ->> 'name' as attribute, (line ->> 'value')::float as value
    from ${evaluations} e, jsonb_array_elements(e.metrics -> 'lines') line
    where ${inArray(
      sql`e.id`,
      models.map(({ id }) => id),
    )} and line ->> 'group' = ${ABLATED}`);
  const attributes = [...new Set(found.rows.map(({ attribute }) => attribute))].sort();
  if (attributes.length === 0) return [];
  const fallOf = (id: string, attribute: string): number | null => {
    const value = found.rows.find((row) => row.id === id && row.attribute === attribute)?.value;
    return typeof value === 'number' ? 100 * value : null;
  };
  const [own] = models;
  return [
    {
      id: 'attribute-models',
      title: 'What graying an attribute costs, by model',
      says: 'Fall of accuracy in points, of this model and of those that were asked about the same images in the same way. The last row and column are means.',
      kind: 'heat',
      rows: [...attributes, 'mean'],
      columns: [...models.map(({ model }) => model), 'mean'],
      unit: 'points',
      values: withMeans(attributes.map((attribute) => models.map(({ id }) => fallOf(id, attribute)))),
      // Only this model's images are on the page.
      filters: [...attributes, null].map((attribute) =>
        [...models, null].map((each) =>
          each === own && attribute !== null
            ? { variant: 'gray.attribute', level: attribute, isRight: false }
            : null,
        ),
      ),
    },
  ];
}

function withMeans(values: (number | null)[][]): (number | null)[][] {
  const rows = values.map((row) => [...row, mean(row) ?? null]);
  return [...rows, (rows[0] ?? []).map((_, at) => mean(rows.map((row) => row[at])) ?? null)];
}
