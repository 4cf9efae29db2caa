import { type ActionId, outerScopes, type Shortcut } from '@/lib/core/editor/shortcuts';
import { type AttributeGroup, NONE, optionsOf } from '@/lib/core/schema';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * The keys of each option while its group is the current one: the first nine and "none" have theirs from the
 * registry, further ones take the letters that nothing else in the form wants. An option past the last letter has
 * none and is reached by the arrow keys.
 */
export function optionKeys(
  group: AttributeGroup,
  shortcuts: readonly Shortcut<ActionId>[],
): ReadonlyMap<string, readonly string[]> {
  const keysOf = new Map<string, readonly string[]>(shortcuts.map(({ id, keys }) => [id, keys]));
  const scopes = ['attributes', ...outerScopes.attributes];
  const taken = new Set(shortcuts.flatMap(({ scope, keys }) => (scopes.includes(scope) ? keys : [])));
  const free = letters.filter((letter) => !taken.has(letter));
  const named = group.attributes.map((option, index) => {
    const registered = keysOf.get(`option-${index + 1}`);
    return [option, registered ?? free.splice(0, 1)] as const;
  });
  return new Map(group.exclusiveNone ? [...named, [NONE, keysOf.get('option-none') ?? []]] : named);
}

/** The option of the group that a key means. */
export function optionOfKey(
  group: AttributeGroup,
  key: string,
  shortcuts: readonly Shortcut<ActionId>[],
): string | undefined {
  const keys = optionKeys(group, shortcuts);
  return optionsOf(group).find((option) => keys.get(option)?.includes(key));
}
