import { type ActionId, outerScopes, type Shortcut, type ShortcutScope } from './shortcuts';

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
