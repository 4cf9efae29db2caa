import { z } from 'zod';
import type { FreezeFilter } from '@/lib/services/datasets/freeze/request';
import { SplitSpec } from '@/lib/services/datasets/freeze/split-spec';
import type { SavedFilter } from '@/lib/services/images/saved-filters';

export const splitKinds = [
  { value: 'stratified', label: 'Stratified by class' },
  { value: 'group', label: 'Whole groups' },
  { value: 'column', label: 'As a column says' },
  { value: 'file', label: 'As a table says' },
  { value: 'folds', label: 'k folds' },
  { value: 'none', label: 'No split' },
] as const;

const percent = (otherwise: number) => z.coerce.number().min(0).max(100).catch(otherwise);

const ClassName = z.string().min(1).max(80);

/** What the address of the page says; what it says in vain is as if it said nothing. */
const Asked = z.object({
  images: z.string().max(200).catch('all'),
  /** An address that names one class gives a text, one that names several a list. */
  classes: z.union([z.array(ClassName).max(2000), ClassName.transform((name) => [name])]).catch([]),
  split: z.enum(['stratified', 'group', 'column', 'file', 'folds', 'none']).catch('stratified'),
  seed: z.string().trim().min(1).max(80).catch('0'),
  train: percent(80),
  val: percent(10),
  test: percent(10),
  by: z.string().min(1).max(80).catch('group'),
  column: z.string().max(80).catch(''),
  folds: z.coerce.number().int().min(2).max(100).catch(5),
  table: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional()
    .catch(undefined),
});

export type Asked = z.output<typeof Asked>;

export const readAsked = (query: Record<string, string | string[] | undefined>): Asked => Asked.parse(query);

/** The split that is asked for; null while something of it is missing (a table, a column, shares above nothing). */
export function splitOf(asked: Asked): SplitSpec | null {
  const shares = Object.fromEntries(
    (['train', 'val', 'test'] as const).flatMap((name) =>
      asked[name] > 0 ? [[name, asked[name] / 100]] : [],
    ),
  );
  const { seed } = asked;
  const specs = {
    stratified: { kind: 'stratified', seed, shares },
    group: { kind: 'group', by: asked.by, seed, shares },
    column: { kind: 'column', column: asked.column },
    file: { kind: 'file', sha256: asked.table },
    folds: { kind: 'folds', folds: asked.folds, seed },
    none: { kind: 'none' },
  };
  const parsed = SplitSpec.safeParse(specs[asked.split]);
  return parsed.success ? parsed.data : null;
}

/** `all`, `labelled` or `saved:<id>`, and the classes that are left when some are chosen. */
export function filterOf(
  { images, classes }: Pick<Asked, 'images' | 'classes'>,
  saved: readonly SavedFilter[],
): FreezeFilter {
  const chosen = classes.length > 0 ? { classes } : {};
  if (images === 'labelled') return { labels: 'some', ...chosen };
  return { ...saved.find(({ id }) => `saved:${id}` === images)?.filter, ...chosen };
}
