/** Where a key works: while one label is shown, in the grid, or while a sample is judged. */
export type AuditScope = 'label' | 'grid' | 'sample';

export type AuditShortcut = {
  id: string;
  /** As `keyName` names them. */
  keys: readonly string[];
  scopes: readonly AuditScope[];
  description: string;
  /** Works while the key is down. */
  held?: true;
};

const anywhere = ['label', 'grid', 'sample'] as const;
const onLabel = ['label', 'sample'] as const;

/** Every key of the audit pages, in the order of the sheet. */
export const auditShortcuts = [
  { id: 'right', keys: ['A', '1'], scopes: ['sample'], description: 'The label is right' },
  { id: 'wrong', keys: ['X', '2'], scopes: ['sample'], description: 'The label is wrong' },
  { id: 'accept', keys: ['A'], scopes: ['label', 'grid'], description: 'Accept' },
  { id: 'reject', keys: ['R'], scopes: anywhere, description: 'Reject with a reason' },
  { id: 'fix', keys: ['F'], scopes: onLabel, description: 'Put it right' },
  {
    id: 'send-back',
    keys: ['B'],
    scopes: ['label'],
    description: 'Ask another worker, with a message to the author',
  },
  { id: 'undo', keys: ['U', 'Mod+Z'], scopes: anywhere, description: 'Take the last decision back' },
  { id: 'next', keys: ['J', 'ArrowRight'], scopes: onLabel, description: 'Next label' },
  { id: 'previous', keys: ['K', 'ArrowLeft'], scopes: onLabel, description: 'Previous label' },
  { id: 'hide', keys: ['H'], scopes: onLabel, description: 'The picture without anything on it', held: true },
  { id: 'outline', keys: ['O'], scopes: onLabel, description: 'Outline of the label' },
  { id: 'answers', keys: ['E'], scopes: onLabel, description: 'Outlines of all answers' },
  { id: 'difference', keys: ['D'], scopes: onLabel, description: 'Where the answers differ from the label' },
  {
    id: 'votes',
    keys: ['V'],
    scopes: onLabel,
    description: 'Where the answers disagree (entropy of the votes)',
  },
  { id: 'side-by-side', keys: ['S'], scopes: onLabel, description: 'Picture and overlay side by side' },
  { id: 'zoom', keys: ['Z'], scopes: onLabel, description: 'Close up of the mask, or the whole picture' },
  { id: 'grid', keys: ['G'], scopes: ['label', 'grid'], description: 'Grid of many labels, and back' },
  { id: 'left', keys: ['ArrowLeft', 'K'], scopes: ['grid'], description: 'To the label on the left' },
  { id: 'right-of', keys: ['ArrowRight', 'J'], scopes: ['grid'], description: 'To the label on the right' },
  { id: 'up', keys: ['ArrowUp'], scopes: ['grid'], description: 'To the label above' },
  { id: 'down', keys: ['ArrowDown'], scopes: ['grid'], description: 'To the label below' },
  { id: 'select', keys: ['Space'], scopes: ['grid'], description: 'Select the label, or not' },
  { id: 'select-all', keys: ['Mod+A'], scopes: ['grid'], description: 'Select all that are shown, or none' },
  { id: 'open', keys: ['Enter'], scopes: ['grid'], description: 'Show the label alone' },
  { id: 'shortcuts', keys: ['?'], scopes: anywhere, description: 'Show all keys' },
] as const satisfies readonly AuditShortcut[];

export type AuditAction = (typeof auditShortcuts)[number]['id'];

/** What a key means in a place, by its name. */
export function auditShortcutFor(
  name: string,
  scope: AuditScope,
): (AuditShortcut & { id: AuditAction }) | undefined {
  return auditShortcuts.find(
    (shortcut: AuditShortcut) => shortcut.scopes.includes(scope) && shortcut.keys.includes(name),
  );
}
