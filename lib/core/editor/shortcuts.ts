import { type KeyChoices, withChoices } from './key-press';
import { type EditorMessage, toolName } from './messages';
import { type ToolId, tools } from './tools';

/**
 * Where a shortcut works. `drawing` is the canvas during an unfinished gesture; there the shortcuts of `canvas`
 * and `page` work too. The attribute form and the canvas are never on one page.
 */
export type ShortcutScope = 'page' | 'canvas' | 'drawing' | 'attributes';

export type Shortcut<Id extends string = string> = {
  readonly id: Id;
  /** `Mod` is Ctrl, or Command on a Mac. */
  readonly keys: readonly string[];
  readonly scope: ShortcutScope;
  /** Works while the key is down. */
  readonly held?: true;
  /** The shortcut of an outer scope that this one replaces on purpose while its scope is active. */
  readonly instead?: string;
};

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const;

const fixed = [
  {
    id: 'done',
    keys: ['Mod+Enter'],
    scope: 'page',
  },
  { id: 'submit-batch', keys: ['Mod+Shift+Enter'], scope: 'page' },
  { id: 'previous-item', keys: ['PageUp'], scope: 'page' },
  { id: 'next-item', keys: ['PageDown'], scope: 'page' },
  { id: 'shortcuts', keys: ['?'], scope: 'page' },
  { id: 'instructions', keys: ['F1'], scope: 'page' },
  { id: 'done-image', keys: ['Alt+Enter'], scope: 'page' },
  { id: 'comment', keys: ['Mod+M'], scope: 'page' },
  { id: 'undo', keys: ['Mod+Z'], scope: 'page' },
  { id: 'redo', keys: ['Mod+Shift+Z', 'Mod+Y'], scope: 'page' },
  { id: 'full-screen', keys: ['Shift+F'], scope: 'page' },

  { id: 'next-target', keys: ['Q'], scope: 'canvas' },
  { id: 'nothing', keys: ['N'], scope: 'canvas' },
  { id: 'new-instance', keys: ['Shift+N'], scope: 'canvas' },
  { id: 'next-instance', keys: ['Shift+E'], scope: 'canvas' },
  { id: 'previous-instance', keys: ['Shift+W'], scope: 'canvas' },
  { id: 'delete-instance', keys: ['Shift+Delete', 'Shift+Backspace'], scope: 'canvas' },
  { id: 'separate-instance', keys: ['Shift+I'], scope: 'canvas' },
  { id: 'flag-occluded', keys: ['Shift+B'], scope: 'canvas' },
  { id: 'flag-truncated', keys: ['Shift+T'], scope: 'canvas' },
  { id: 'delete', keys: ['Delete', 'Backspace'], scope: 'canvas' },
  { id: 'cancel', keys: ['Escape'], scope: 'canvas' },
  { id: 'confirm', keys: ['Enter'], scope: 'canvas' },
  { id: 'select-all', keys: ['Mod+A'], scope: 'canvas' },
  { id: 'select-next', keys: ['.'], scope: 'canvas' },
  { id: 'select-previous', keys: [','], scope: 'canvas' },
  { id: 'main-object', keys: ['Shift+D'], scope: 'canvas' },
  { id: 'model-outline', keys: ['Shift+O'], scope: 'canvas' },
  { id: 'relabel', keys: ['L'], scope: 'canvas' },
  { id: 'cursor-left', keys: ['ArrowLeft'], scope: 'canvas' },
  { id: 'cursor-right', keys: ['ArrowRight'], scope: 'canvas' },
  { id: 'cursor-up', keys: ['ArrowUp'], scope: 'canvas' },
  { id: 'cursor-down', keys: ['ArrowDown'], scope: 'canvas' },
  { id: 'cursor-far-left', keys: ['Shift+ArrowLeft'], scope: 'canvas' },
  { id: 'cursor-far-right', keys: ['Shift+ArrowRight'], scope: 'canvas' },
  { id: 'cursor-far-up', keys: ['Shift+ArrowUp'], scope: 'canvas' },
  { id: 'cursor-far-down', keys: ['Shift+ArrowDown'], scope: 'canvas' },
  { id: 'nudge-left', keys: ['Alt+ArrowLeft'], scope: 'canvas' },
  { id: 'nudge-right', keys: ['Alt+ArrowRight'], scope: 'canvas' },
  { id: 'nudge-up', keys: ['Alt+ArrowUp'], scope: 'canvas' },
  { id: 'nudge-down', keys: ['Alt+ArrowDown'], scope: 'canvas' },
  { id: 'brush-smaller', keys: ['['], scope: 'canvas' },
  { id: 'brush-larger', keys: [']'], scope: 'canvas' },
  { id: 'zoom-in', keys: ['+', '='], scope: 'canvas' },
  { id: 'zoom-out', keys: ['-'], scope: 'canvas' },
  { id: 'fit', keys: ['F'], scope: 'canvas' },
  { id: 'actual-size', keys: ['0'], scope: 'canvas' },
  { id: 'hide-label', keys: ['Shift+H'], scope: 'canvas' },
  { id: 'lock-label', keys: ['Shift+L'], scope: 'canvas' },
  { id: 'solo-label', keys: ['Shift+S'], scope: 'canvas' },
  { id: 'outline-only', keys: ['I'], scope: 'canvas' },
  { id: 'less-opaque', keys: [';'], scope: 'canvas' },
  { id: 'more-opaque', keys: ["'"], scope: 'canvas' },
  { id: 'crosshair', keys: ['U'], scope: 'canvas' },
  { id: 'before', keys: ['Y'], scope: 'canvas' },
  { id: 'snapping', keys: ['M'], scope: 'canvas' },
  { id: 'hold-pan', keys: ['Space'], scope: 'canvas', held: true },
  { id: 'hold-free', keys: ['S'], scope: 'canvas', held: true },
  { id: 'hold-trace', keys: ['T'], scope: 'canvas', held: true },

  {
    id: 'back',
    keys: ['Backspace'],
    scope: 'drawing',
    instead: 'delete',
  },

  { id: 'option-none', keys: ['0'], scope: 'attributes' },
  {
    id: 'none-for-rest',
    keys: ['N'],
    scope: 'attributes',
  },
  {
    id: 'none-and-done',
    keys: ['Shift+Enter'],
    scope: 'attributes',
  },
  {
    id: 'confirm-form',
    keys: ['Enter'],
    scope: 'attributes',
  },
  { id: 'next-group', keys: ['ArrowDown', 'J'], scope: 'attributes' },
  { id: 'previous-group', keys: ['ArrowUp', 'K'], scope: 'attributes' },
  { id: 'next-option', keys: ['ArrowRight'], scope: 'attributes' },
  { id: 'previous-option', keys: ['ArrowLeft'], scope: 'attributes' },
  { id: 'picture-larger', keys: ['+', '='], scope: 'attributes' },
  { id: 'picture-smaller', keys: ['-'], scope: 'attributes' },
  { id: 'picture-fit', keys: ['F'], scope: 'attributes' },
  { id: 'picture-left', keys: ['Shift+ArrowLeft'], scope: 'attributes' },
  { id: 'picture-right', keys: ['Shift+ArrowRight'], scope: 'attributes' },
  { id: 'picture-up', keys: ['Shift+ArrowUp'], scope: 'attributes' },
  { id: 'picture-down', keys: ['Shift+ArrowDown'], scope: 'attributes' },
] as const satisfies readonly Shortcut[];

type Digit = (typeof digits)[number];

export type ActionId = (typeof fixed)[number]['id'] | `tool-${ToolId}` | `label-${Digit}` | `option-${Digit}`;

/** Every shortcut of the annotator and of the attribute form, in the order of the sheet. */
export const shortcuts: readonly Shortcut<ActionId>[] = [
  ...tools.map(
    (tool): Shortcut<ActionId> => ({
      id: `tool-${tool.id}`,
      keys: [tool.key],
      scope: 'canvas',
    }),
  ),
  ...digits.map(
    (digit): Shortcut<ActionId> => ({
      id: `label-${digit}`,
      keys: [digit],
      scope: 'canvas',
    }),
  ),
  ...fixed,
  ...digits.map(
    (digit): Shortcut<ActionId> => ({
      id: `option-${digit}`,
      keys: [digit],
      scope: 'attributes',
    }),
  ),
];

export type Collision = { readonly key: string; readonly first: string; readonly second: string };

/** Which outer scopes are active together with a scope. */
export const outerScopes: Readonly<Record<ShortcutScope, readonly ShortcutScope[]>> = {
  page: [],
  canvas: ['page'],
  drawing: ['canvas', 'page'],
  attributes: ['page'],
};

/** Pairs of shortcuts that want the same key at the same time. */
export function collisions(list: readonly Shortcut[]): Collision[] {
  return list.flatMap((first, i) =>
    list.slice(i + 1).flatMap((second) => {
      if (!meet(first, second) || first.instead === second.id || second.instead === first.id) return [];
      return first.keys
        .filter((key) => second.keys.includes(key))
        .map((key) => ({ key, first: first.id, second: second.id }));
    }),
  );
}

function meet(a: Shortcut, b: Shortcut): boolean {
  return (
    a.scope === b.scope || outerScopes[a.scope].includes(b.scope) || outerScopes[b.scope].includes(a.scope)
  );
}

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

type ShortcutRow = {
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
