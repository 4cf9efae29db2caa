import { type AnyColumn, type SQL, sql } from 'drizzle-orm';
import { type JobSpec, type Method, trainingPreset } from '@/lib/core/training-spec';

/** How a run was trained, as people call it: by its last stage. */
export function methodOf({ stages }: Pick<JobSpec, 'stages'>): Method {
  const method = stages.at(-1)?.method;
  return method === 'pgd' || method === 'trades' ? method : 'normal';
}

/** Every leaf of a value by its path; a list of plain values is one leaf. */
function leavesOf(value: unknown, at = ''): [string, string][] {
  const isList = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
  if (typeof value !== 'object' || value === null || isList) return [[at, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, at ? `${at}.${name}` : name));
}

/** These tell runs apart that are otherwise the same. */
const OWN = new Set(['id', 'data.snapshot', 'train.seed', 'preset']);

/** What somebody changed of the preset, by path; what the preset does not have is left out. */
export function changedSettings(spec: JobSpec): Record<string, string> {
  const preset = spec.preset ? trainingPreset(spec.preset) : undefined;
  if (!preset) return {};
  const usual = new Map(
    leavesOf(
      preset.make({
        arch: spec.model.arch,
        method: methodOf(spec),
        id: spec.id,
        snapshot: spec.data.snapshot,
        seed: spec.train.seed,
      }),
    ),
  );
  return Object.fromEntries(
    leavesOf(spec).filter(([path, value]) => !OWN.has(path) && usual.has(path) && usual.get(path) !== value),
  );
}

/** Every setting of a run by its path, without what is its own. */
export const allSettings = (spec: JobSpec): Record<string, string> =>
  Object.fromEntries(leavesOf(spec).filter(([path]) => !OWN.has(path)));

/** Equal for runs that differ in nothing but their seed. */
export const recipeOf = (spec: JobSpec): string =>
  Object.entries(allSettings(spec))
    .map(([path, value]) => `${path}=${value}`)
    .sort()
    .join('\n');

/**
 * A verdict, or a contract that holds one, without the outcome of every test image: that is most of its bytes, and a
 * list of many does not show it.
 */
export const withoutImages = (document: AnyColumn): SQL<Record<string, unknown> | null> => sql`
  case when jsonb_typeof(${document} #> '{metrics,tests}') = 'array'
  then jsonb_set(${document}, '{metrics,tests}', (
    select coalesce(jsonb_agg(test - 'images' order by place), '[]')
    from jsonb_array_elements(${document} #> '{metrics,tests}') with ordinality as tests(test, place)))
  else ${document} end`;
