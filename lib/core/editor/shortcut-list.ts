import { type KeyChoices, withChoices } from './key-choices';
import type { ActionId, Shortcut, ShortcutScope } from './shortcuts';

export type Platform = 'mac' | 'other';

const scopeTitles: Readonly<Record<ShortcutScope, string>> = {
  page: 'Everywhere',
  canvas: 'On the image',
  drawing: 'While drawing',
  attributes: 'In the attribute form',
};

const macNames: Readonly<Record<string, string>> = { Mod: '⌘', Alt: '⌥', Shift: '⇧' };
const otherNames: Readonly<Record<string, string>> = { Mod: 'Ctrl' };
const arrowNames: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** A key as a person reads it: "Ctrl+Z", "⌘+Z". */
export function keyText(key: string, platform: Platform): string {
  // A + at the end is the key itself.
  const parts = key.split(/\+(?!$)/);
  const names = platform === 'mac' ? macNames : otherNames;
  return parts.map((part) => names[part] ?? arrowNames[part] ?? part).join('+');
}

export type ShortcutRow = {
  readonly id: ActionId;
  readonly keys: readonly string[];
  readonly description: string;
};

export type ShortcutSection = {
  readonly scope: ShortcutScope;
  readonly title: string;
  readonly rows: readonly ShortcutRow[];
};

/** The `?` sheet and the documentation page. */
export function shortcutSections(choices: KeyChoices, platform: Platform): ShortcutSection[] {
  const list = withChoices(choices);
  return (['drawing', 'canvas', 'page', 'attributes'] as const).map((scope) => ({
    scope,
    title: scopeTitles[scope],
    rows: list.filter((shortcut) => shortcut.scope === scope).map((shortcut) => row(shortcut, platform)),
  }));
}

/** "Polygon (P)", for the tooltip of a button. */
export function tooltip(id: ActionId, choices: KeyChoices, platform: Platform): string {
  const shortcut = withChoices(choices).find((candidate) => candidate.id === id);
  const [key] = shortcut?.keys ?? [];
  if (!shortcut) return '';
  return key === undefined ? shortcut.description : `${shortcut.description} (${keyText(key, platform)})`;
}

function row({ id, keys, description, held }: Shortcut<ActionId>, platform: Platform): ShortcutRow {
  return {
    id,
    keys: keys.map((key) => keyText(key, platform)),
    description: held ? `${description} (hold)` : description,
  };
}
