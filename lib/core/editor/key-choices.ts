import { z } from 'zod';
import { type ActionId, type Collision, collisions, type Shortcut, shortcuts } from './shortcuts';

/** Keys that a person chose; shortcuts that are not in it have the keys of the registry. */
export type KeyChoices = Readonly<Record<string, readonly string[]>>;

const KEY_NAME = /^(?:Mod\+)?(?:Alt\+)?(?:Shift\+)?(?:[!-~¡-￿]|[A-Z][A-Za-z]+|F\d{1,2})$/u;

/** Stored in the settings of a person; unknown ids from another release are dropped. */
export const KeyChoices = z
  .record(z.string(), z.array(z.string().max(40).regex(KEY_NAME, 'this is not a key')).max(4))
  .transform((choices): KeyChoices => {
    const known = new Set<string>(shortcuts.map(({ id }) => id));
    return Object.fromEntries(Object.entries(choices).filter(([id]) => known.has(id)));
  });

export function withChoices(choices: KeyChoices): readonly Shortcut<ActionId>[] {
  return shortcuts.map((shortcut) => ({ ...shortcut, keys: choices[shortcut.id] ?? shortcut.keys }));
}

export type Remapped =
  | { readonly ok: true; readonly choices: KeyChoices }
  | { readonly ok: false; readonly collisions: readonly Collision[]; readonly problem?: string };

/** Gives a shortcut other keys, unless one of them is taken. */
export function remap(choices: KeyChoices, id: ActionId, keys: readonly string[]): Remapped {
  const parsed = KeyChoices.safeParse({ ...choices, [id]: [...keys] });
  if (!parsed.success) return { ok: false, collisions: [], problem: z.prettifyError(parsed.error) };
  const taken = collisions(withChoices(parsed.data));
  return taken.length > 0 ? { ok: false, collisions: taken } : { ok: true, choices: parsed.data };
}

/** Back to the registry's keys: of one shortcut, if nothing else took them in between, or of all. */
export function resetKeys(choices: KeyChoices, id?: ActionId): Remapped {
  if (id === undefined) return { ok: true, choices: {} };
  const { [id]: _dropped, ...rest } = choices;
  const taken = collisions(withChoices(rest));
  return taken.length > 0 ? { ok: false, collisions: taken } : { ok: true, choices: rest };
}
