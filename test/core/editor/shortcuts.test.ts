import { describe, expect, it } from 'vitest';
import {
  collisions,
  KeyChoices,
  keyName,
  keyText,
  remap,
  resetKeys,
  shortcutFor,
  shortcutSections,
  shortcuts,
  shortcutText,
  tools,
  withChoices,
} from '@/lib/core/editor';
import { englishText } from '../../support/english';

const press = { shift: false, alt: false, mod: false };

describe('the registry of shortcuts', () => {
  it('has no collisions', () => {
    expect(collisions(shortcuts)).toEqual([]);
  });

  it('has every tool, and each id once', () => {
    const ids = shortcuts.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const tool of tools) expect(ids).toContain(`tool-${tool.id}`);
  });

  it('has keys in the form that a pressed key is given', () => {
    for (const { id, keys } of shortcuts) expect(KeyChoices.safeParse({ [id]: keys }).success).toBe(true);
  });

  it('finds a collision within a scope and with a scope around it, but not between pages', () => {
    const at = (id: string, scope: 'page' | 'canvas' | 'drawing' | 'attributes') =>
      ({ id, scope, keys: ['Q'] }) as const;
    expect(collisions([at('a', 'canvas'), at('b', 'canvas')])).toEqual([
      { key: 'Q', first: 'a', second: 'b' },
    ]);
    expect(collisions([at('a', 'page'), at('b', 'drawing')])).toHaveLength(1);
    expect(collisions([at('a', 'attributes'), at('b', 'canvas')])).toEqual([]);
    expect(collisions([at('a', 'canvas'), { ...at('b', 'drawing'), instead: 'a' }])).toEqual([]);
  });
});

describe('a pressed key', () => {
  it('is named alike on every keyboard', () => {
    expect(keyName({ ...press, key: 'z', mod: true })).toBe('Mod+Z');
    expect(keyName({ ...press, key: 'Z', mod: true, shift: true })).toBe('Mod+Shift+Z');
    expect(keyName({ ...press, key: '?', shift: true })).toBe('?');
    expect(keyName({ ...press, key: ' ' })).toBe('Space');
    expect(keyName({ ...press, key: 'ArrowLeft', shift: true })).toBe('Shift+ArrowLeft');
    expect(keyName({ ...press, key: 'я', code: 'KeyZ', mod: true })).toBe('Mod+Z');
  });

  it('means the innermost scope that has it', () => {
    expect(shortcutFor('Backspace', 'canvas', shortcuts)?.id).toBe('delete');
    expect(shortcutFor('Backspace', 'drawing', shortcuts)?.id).toBe('back');
    expect(shortcutFor('Mod+Z', 'drawing', shortcuts)?.id).toBe('undo');
    expect(shortcutFor('1', 'attributes', shortcuts)?.id).toBe('option-1');
    expect(shortcutFor('Shift+Q', 'canvas', shortcuts)).toBeUndefined();
  });
});

describe('choosing other keys', () => {
  it('takes a free key, refuses a taken one and says by whom', () => {
    const remapped = remap({}, 'tool-brush', ['Shift+Q']);
    expect(remapped).toEqual({ ok: true, choices: { 'tool-brush': ['Shift+Q'] } });
    expect(remap({}, 'tool-brush', ['P'])).toEqual({
      ok: false,
      collisions: [{ key: 'P', first: 'tool-polygon', second: 'tool-brush' }],
    });
    expect(remap({}, 'done', ['nonsense+'])).toMatchObject({ ok: false, collisions: [] });
  });

  it('resets one, unless its key was given away, or all', () => {
    const swapped = { 'tool-brush': ['Shift+Q'], 'tool-pan': ['B'] };
    expect(resetKeys(swapped, 'tool-pan')).toEqual({ ok: true, choices: { 'tool-brush': ['Shift+Q'] } });
    expect(resetKeys(swapped, 'tool-brush')).toMatchObject({ ok: false, collisions: [{ key: 'B' }] });
    expect(resetKeys(swapped)).toEqual({ ok: true, choices: {} });
  });

  it('drops shortcuts that this release does not know', () => {
    expect(KeyChoices.parse({ 'tool-lasso': ['Shift+Q'], undo: ['U'] })).toEqual({ undo: ['U'] });
  });
});

describe('the shortcut sheet', () => {
  it('lists every shortcut once, with the keys of the person and of the platform', () => {
    const sections = shortcutSections({ 'tool-brush': ['Shift+Q'] }, 'mac');
    const rows = sections.flatMap((section) => section.rows);
    expect(rows).toHaveLength(withChoices({}).length);
    expect(rows.find(({ id }) => id === 'tool-brush')?.keys).toEqual(['⇧+Q']);
    expect(rows.find(({ id }) => id === 'redo')?.keys).toEqual(['⌘+⇧+Z', '⌘+Y']);
  });

  it('describes what each key does', () => {
    const texts = shortcuts.map(({ id }) => englishText(shortcutText(id)));
    for (const text of ['Polygon', 'Undo', 'Label 3 of the image', 'Option 9 of the group'])
      expect(texts).toContain(text);
  });

  it('writes keys as they are printed on the keyboard', () => {
    expect(keyText('Mod+Z', 'other')).toBe('Ctrl+Z');
    expect(keyText('+', 'other')).toBe('+');
    expect(keyText('Mod++', 'other')).toBe('Ctrl++');
  });
});
