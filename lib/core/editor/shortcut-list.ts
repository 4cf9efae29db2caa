import { type KeyChoices, withChoices } from './key-choices';
import { type EditorMessage, toolName } from './messages';
import type { ActionId, Shortcut, ShortcutScope } from './shortcuts';

export type Platform = 'mac' | 'other';

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
  readonly text: EditorMessage;
  /** Works while the key is down. */
  readonly isHeld: boolean;
};

export type ShortcutSection = {
  /** Its title is `scopes.<scope>` in the catalogues. */
  readonly scope: ShortcutScope;
  readonly rows: readonly ShortcutRow[];
};

/** The `?` sheet and the documentation page. */
export function shortcutSections(choices: KeyChoices, platform: Platform): ShortcutSection[] {
  const list = withChoices(choices);
  return (['drawing', 'canvas', 'page', 'attributes'] as const).map((scope) => ({
    scope,
    rows: list.filter((shortcut) => shortcut.scope === scope).map((shortcut) => row(shortcut, platform)),
  }));
}

/** The description of a shortcut. Tools are described by their name. */
export function shortcutText(id: ActionId): EditorMessage {
  const tool = /^tool-(.+)$/.exec(id)?.[1];
  if (tool) return toolName(tool);
  const [, kind, number] = /^(label|option)-(\d)$/.exec(id) ?? [];
  return kind ? { key: `shortcuts.${kind}`, values: { number: Number(number) } } : { key: `shortcuts.${id}` };
}

function row({ id, keys, held }: Shortcut<ActionId>, platform: Platform): ShortcutRow {
  return {
    id,
    keys: keys.map((key) => keyText(key, platform)),
    text: shortcutText(id),
    isHeld: held === true,
  };
}
