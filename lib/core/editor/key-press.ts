import { z } from 'zod';
import {
  type ActionId,
  type Collision,
  collisions,
  outerScopes,
  type Shortcut,
  type ShortcutScope,
  shortcuts,
} from './shortcuts';

export type KeyPress = {
  /** As a KeyboardEvent has them. */
  readonly key: string;
  readonly code?: string;
  readonly shift: boolean;
  readonly alt: boolean;
  /** Ctrl, or Command on a Mac. */
  readonly mod: boolean;
};

/** The registry's name of a pressed key. */
export function keyName({ key, code = '', shift, alt, mod }: KeyPress): string {
  const base = baseKey(key, code);
  // A character such as ? needs Shift on some keyboards and not on others: the character alone counts.
  const isLetterOrNamed = base.length > 1 || /[A-Z]/.test(base);
  return `${mod ? 'Mod+' : ''}${alt ? 'Alt+' : ''}${shift && isLetterOrNamed ? 'Shift+' : ''}${base}`;
}

/** On a keyboard without Latin letters the place of the key counts. */
function baseKey(key: string, code: string): string {
  if (key === ' ') return 'Space';
  if (key.length > 1) return key;
  const latin = /^Key([A-Z])$/.exec(code)?.[1];
  if (latin && !/^[a-z]$/i.test(key)) return latin;
  return key.toUpperCase();
}

/** The shortcut that a key means now; inner scopes come first. */
export function shortcutFor(
  name: string,
  scope: ShortcutScope,
  list: readonly Shortcut<ActionId>[],
): Shortcut<ActionId> | undefined {
  for (const active of [scope, ...outerScopes[scope]]) {
    const found = list.find((shortcut) => shortcut.scope === active && shortcut.keys.includes(name));
    if (found) return found;
  }
  return undefined;
}

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
