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
  readonly description: string;
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
    description: 'Done, go to the next open target or image',
  },
  { id: 'submit-batch', keys: ['Mod+Shift+Enter'], scope: 'page', description: 'Submit the batch' },
  { id: 'previous-item', keys: ['PageUp'], scope: 'page', description: 'Previous image' },
  { id: 'next-item', keys: ['PageDown'], scope: 'page', description: 'Next image' },
  { id: 'shortcuts', keys: ['?'], scope: 'page', description: 'Show all shortcuts' },
  { id: 'instructions', keys: ['F1'], scope: 'page', description: 'Show or hide the instructions' },
  { id: 'done-image', keys: ['Alt+Enter'], scope: 'page', description: 'All targets of the image are done' },
  { id: 'comment', keys: ['Mod+M'], scope: 'page', description: 'Comment to the curator' },
  { id: 'undo', keys: ['Mod+Z'], scope: 'page', description: 'Undo' },
  { id: 'redo', keys: ['Mod+Shift+Z', 'Mod+Y'], scope: 'page', description: 'Redo' },
  { id: 'full-screen', keys: ['Shift+F'], scope: 'page', description: 'Full screen' },

  { id: 'next-target', keys: ['Q'], scope: 'canvas', description: 'Next open target of the image' },
  { id: 'nothing', keys: ['N'], scope: 'canvas', description: 'Nothing to label' },
  { id: 'delete', keys: ['Delete', 'Backspace'], scope: 'canvas', description: 'Delete the selection' },
  { id: 'cancel', keys: ['Escape'], scope: 'canvas', description: 'Cancel, or clear the selection' },
  { id: 'confirm', keys: ['Enter'], scope: 'canvas', description: 'Finish, or click at the cursor' },
  { id: 'select-all', keys: ['Mod+A'], scope: 'canvas', description: 'Select all shapes of the label' },
  { id: 'select-next', keys: ['.'], scope: 'canvas', description: 'Select the next shape' },
  { id: 'select-previous', keys: [','], scope: 'canvas', description: 'Select the previous shape' },
  { id: 'main-object', keys: ['Shift+D'], scope: 'canvas', description: 'Suggest the main object' },
  { id: 'model-outline', keys: ['Shift+O'], scope: 'canvas', description: "Suggest the model's outline" },
  { id: 'relabel', keys: ['L'], scope: 'canvas', description: 'Give the selection the current label' },
  { id: 'cursor-left', keys: ['ArrowLeft'], scope: 'canvas', description: 'Cursor left by a pixel' },
  { id: 'cursor-right', keys: ['ArrowRight'], scope: 'canvas', description: 'Cursor right by a pixel' },
  { id: 'cursor-up', keys: ['ArrowUp'], scope: 'canvas', description: 'Cursor up by a pixel' },
  { id: 'cursor-down', keys: ['ArrowDown'], scope: 'canvas', description: 'Cursor down by a pixel' },
  { id: 'cursor-far-left', keys: ['Shift+ArrowLeft'], scope: 'canvas', description: 'Cursor left by ten' },
  { id: 'cursor-far-right', keys: ['Shift+ArrowRight'], scope: 'canvas', description: 'Cursor right by ten' },
  { id: 'cursor-far-up', keys: ['Shift+ArrowUp'], scope: 'canvas', description: 'Cursor up by ten' },
  { id: 'cursor-far-down', keys: ['Shift+ArrowDown'], scope: 'canvas', description: 'Cursor down by ten' },
  { id: 'nudge-left', keys: ['Alt+ArrowLeft'], scope: 'canvas', description: 'Move the selection left' },
  { id: 'nudge-right', keys: ['Alt+ArrowRight'], scope: 'canvas', description: 'Move the selection right' },
  { id: 'nudge-up', keys: ['Alt+ArrowUp'], scope: 'canvas', description: 'Move the selection up' },
  { id: 'nudge-down', keys: ['Alt+ArrowDown'], scope: 'canvas', description: 'Move the selection down' },
  { id: 'brush-smaller', keys: ['['], scope: 'canvas', description: 'Smaller brush' },
  { id: 'brush-larger', keys: [']'], scope: 'canvas', description: 'Larger brush' },
  { id: 'zoom-in', keys: ['+', '='], scope: 'canvas', description: 'Zoom in' },
  { id: 'zoom-out', keys: ['-'], scope: 'canvas', description: 'Zoom out' },
  { id: 'fit', keys: ['F'], scope: 'canvas', description: 'Fit the image' },
  { id: 'actual-size', keys: ['0'], scope: 'canvas', description: 'One screen pixel per image pixel' },
  { id: 'hide-label', keys: ['Shift+H'], scope: 'canvas', description: 'Hide or show the current label' },
  { id: 'lock-label', keys: ['Shift+L'], scope: 'canvas', description: 'Lock or unlock the current label' },
  { id: 'solo-label', keys: ['Shift+S'], scope: 'canvas', description: 'Show only the current label' },
  { id: 'outline-only', keys: ['I'], scope: 'canvas', description: 'Outlines only' },
  { id: 'less-opaque', keys: [';'], scope: 'canvas', description: 'Fainter fill' },
  { id: 'more-opaque', keys: ["'"], scope: 'canvas', description: 'Stronger fill' },
  { id: 'crosshair', keys: ['U'], scope: 'canvas', description: 'Crosshair' },
  { id: 'before', keys: ['Y'], scope: 'canvas', description: 'The image without the drawing' },
  { id: 'snapping', keys: ['M'], scope: 'canvas', description: 'Snapping on or off' },
  { id: 'hold-pan', keys: ['Space'], scope: 'canvas', description: 'Pan with any tool', held: true },
  { id: 'hold-free', keys: ['S'], scope: 'canvas', description: 'Do not snap', held: true },
  { id: 'hold-trace', keys: ['T'], scope: 'canvas', description: "Follow a neighbour's border", held: true },

  {
    id: 'back',
    keys: ['Backspace'],
    scope: 'drawing',
    description: 'Take back the last vertex',
    instead: 'delete',
  },

  { id: 'option-none', keys: ['0'], scope: 'attributes', description: 'Choose "none" of the group' },
  {
    id: 'none-for-rest',
    keys: ['N'],
    scope: 'attributes',
    description: 'Choose "none" in every group without a choice',
  },
  {
    id: 'none-and-done',
    keys: ['Shift+Enter'],
    scope: 'attributes',
    description: 'Choose "none" in every group without a choice, then done',
  },
  {
    id: 'confirm-form',
    keys: ['Enter'],
    scope: 'attributes',
    description: 'Next incomplete group; done when all are complete',
  },
  { id: 'next-group', keys: ['ArrowDown', 'J'], scope: 'attributes', description: 'Next group' },
  { id: 'previous-group', keys: ['ArrowUp', 'K'], scope: 'attributes', description: 'Previous group' },
  { id: 'next-option', keys: ['ArrowRight'], scope: 'attributes', description: 'Next option' },
  { id: 'previous-option', keys: ['ArrowLeft'], scope: 'attributes', description: 'Previous option' },
  { id: 'picture-larger', keys: ['+', '='], scope: 'attributes', description: 'Zoom in' },
  { id: 'picture-smaller', keys: ['-'], scope: 'attributes', description: 'Zoom out' },
  { id: 'picture-fit', keys: ['F'], scope: 'attributes', description: 'Fit the picture' },
  { id: 'picture-left', keys: ['Shift+ArrowLeft'], scope: 'attributes', description: 'Look further left' },
  { id: 'picture-right', keys: ['Shift+ArrowRight'], scope: 'attributes', description: 'Look further right' },
  { id: 'picture-up', keys: ['Shift+ArrowUp'], scope: 'attributes', description: 'Look further up' },
  { id: 'picture-down', keys: ['Shift+ArrowDown'], scope: 'attributes', description: 'Look further down' },
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
      description: tool.name,
    }),
  ),
  ...digits.map(
    (digit): Shortcut<ActionId> => ({
      id: `label-${digit}`,
      keys: [digit],
      scope: 'canvas',
      description: `Target ${digit} of the image`,
    }),
  ),
  ...fixed,
  ...digits.map(
    (digit): Shortcut<ActionId> => ({
      id: `option-${digit}`,
      keys: [digit],
      scope: 'attributes',
      description: `Option ${digit} of the group`,
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
