import type { DatasetSchema, SchemaEdit, SchemaProblem } from '@/lib/core/schema';
import type { ExamplePlaces } from '@/lib/services/crowd/guide';

/** What every part of the editor is given. */
export interface Editing {
  slug: string;
  schema: DatasetSchema;
  saved: DatasetSchema;
  /** Where the guide shows pictures of what is saved. */
  examples: ExamplePlaces;
  edit: (edit: SchemaEdit) => void;
  /** The first problem at a place: `problemAt('parts', 3, 'name')`. */
  problemAt: ProblemAt;
}

export type ProblemAt = (...path: (string | number)[]) => string | undefined;

export function problemFinder(problems: readonly SchemaProblem[]): ProblemAt {
  const byPath = new Map<string, string>();
  for (const { path, message } of problems) {
    const key = path.slice(0, 3).join('/');
    if (!byPath.has(key)) byPath.set(key, message);
  }
  return (...path) => byPath.get(path.join('/'));
}
