import { type ActionId, outerScopes, type Shortcut } from '@/lib/core/editor/shortcuts';
import { type DatasetSchema, NONE, optionsOf } from '@/lib/core/schema';

export type Place = { readonly group: number; readonly option: number };

/** Options of the current group that digits choose. */
const DIGITS = 9;

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * Letters that choose an option from anywhere in the form, so that nobody has to go through the groups. An option
 * takes the first free letter of its name. Where there are more options than letters, the first nine of the first group
 * do without: their digits work when the form opens. A form of one group needs none.
 */
export function formKeys(
  schema: DatasetSchema,
  shortcuts: readonly Shortcut<ActionId>[],
): ReadonlyMap<string, Place> {
  const groups = schema.attributeGroups;
  if (groups.length < 2) return new Map();
  const scopes: readonly string[] = ['attributes', ...outerScopes.attributes];
  const taken = new Set(shortcuts.flatMap(({ scope, keys }) => (scopes.includes(scope) ? keys : [])));
  const free = letters.filter((letter) => !taken.has(letter));
  const all = groups.flatMap((group, index) =>
    optionsOf(group).flatMap((id, option) => (id === NONE ? [] : [{ id, group: index, option }])),
  );
  const withoutDigits = all.filter(({ group, option }) => group > 0 || option >= DIGITS);
  const places = [all, withoutDigits].find((list) => list.length <= free.length);
  const keys = new Map<string, Place>();
  for (const { id, group, option } of places ?? []) {
    const name = schema.attributes.find((attribute) => attribute.id === id)?.name ?? id;
    const wanted = [...name.toUpperCase()].find((letter) => free.includes(letter)) ?? free[0];
    if (wanted === undefined) break;
    free.splice(free.indexOf(wanted), 1);
    keys.set(wanted, { group, option });
  }
  return keys;
}
