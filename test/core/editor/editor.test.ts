import { describe, expect, it } from 'vitest';
import {
  commandsDone,
  previewOf,
  shortcutOf,
  toolName,
  tools,
  undoDepth,
  unfinishedOf,
} from '@/lib/core/editor';
import { englishText } from '../../support/english';
import { diagonal, TestEditor } from '../../support/test-editor';

describe('the editor as a page sees it', () => {
  it('tells of new states and of what to store, and of nothing for merely looking', () => {
    const editor = new TestEditor();
    let changes = 0;
    const stop = editor.editor.subscribe(() => changes++);
    editor
      .key('f')
      .tool('rectangle')
      .drag(diagonal(10, 10, 20));
    expect(changes).toBeGreaterThan(3);
    const commits = editor.effects.filter(({ kind }) => kind === 'commit');
    expect(commits).toMatchObject([{ way: 'do', document: editor.document }]);
    stop();
    const before = changes;
    editor.undo();
    expect(changes).toBe(before);
    expect(editor.effects.filter(({ kind }) => kind === 'commit').at(-1)).toMatchObject({ way: 'undo' });
  });

  it('names what was done, latest first', () => {
    const editor = new TestEditor()
      .tool('rectangle')
      .drag(diagonal(10, 10, 40))
      .tool('brush')
      .click(50, 50);
    expect(
      [...commandsDone(editor.state.history)].map(({ name, message }) => [name, englishText(message)]),
    ).toEqual([
      ['paint', 'Brush stroke, radius 10'],
      ['draw-rectangle', 'Rectangle, 4 points'],
    ]);
  });

  it('goes on with an unfinished outline after a reload', () => {
    const left = new TestEditor().clicks([10, 10], [40, 10], [40, 40]);
    const unfinished = unfinishedOf(left.state);
    expect(unfinished).toEqual({ tool: 'polygon', points: [10, 10, 40, 10, 40, 40] });
    const reloaded = new TestEditor({ tool: 'select' });
    reloaded.dispatch({ type: 'resume', tool: 'polygon', points: unfinished?.points ?? [] });
    reloaded.expectState('polygon.drawing').click(10, 40).key('Enter').expectArea(900);
    expect(unfinishedOf(reloaded.state)).toBeUndefined();
  });

  it('opens another document with a new history', () => {
    const editor = new TestEditor().tool('rectangle').drag(diagonal(10, 10, 40));
    const { document } = new TestEditor({ labels: ['beak'] });
    editor.dispatch({ type: 'open', document }).expectHistory(0);
    expect(editor.state.label).toBe('beak');
  });

  it('previews every unfinished gesture', () => {
    const kinds = (editor: TestEditor) => previewOf(editor.state).map(({ kind }) => kind);
    expect(kinds(new TestEditor().clicks([10, 10], [40, 10]).pointerMove(50, 50))).toEqual(['outline']);
    const half = (tool: (typeof tools)[number]['id']) =>
      new TestEditor()
        .tool('rectangle')
        .drag(diagonal(20, 20, 40))
        .tool(tool)
        .wait(500)
        .pointerDown(20, 20)
        .pointerMove(50, 50);
    expect(kinds(half('rectangle'))).toEqual(['ring']);
    expect(kinds(half('brush'))).toEqual(['stroke']);
    expect(kinds(half('vertex'))).toEqual(['replaced']);
    expect(kinds(half('slice'))).toEqual(['line']);
    expect(kinds(half('select'))).toEqual(['moved']);
    expect(kinds(half('zoom'))).toEqual(['box']);
    expect(kinds(half('smart-region'))).toEqual(['stroke']);
    for (const tool of tools) expect(kinds(new TestEditor().tool(tool.id))).toEqual([]);
  });

  it('leads the next vertex to the pointer', () => {
    const editor = new TestEditor().clicks([10, 10]).pointerMove(50, 40);
    expect(previewOf(editor.state)[0]).toMatchObject({ next: Float64Array.from([50, 40]) });
  });

  it('knows which keys are its own', () => {
    const { state } = new TestEditor();
    const press = { shift: false, alt: false, mod: false };
    expect(shortcutOf(state, { ...press, key: 'p' })?.id).toBe('tool-polygon');
    expect(shortcutOf(state, { ...press, key: 'Tab' })).toBeUndefined();
  });

  it('deletes everything of a label, erasures too, as one step', () => {
    const editor = new TestEditor()
      .tool('brush')
      .drag([
        [20, 20],
        [60, 20],
      ])
      .tool('eraser')
      .drag([
        [40, 10],
        [40, 30],
      ]);
    const { bytes } = editor;
    editor.action('select-all').key('Delete').expectShapes(0).expectHistory(3);
    editor.undo();
    expect(editor.bytes).toBe(bytes);
  });

  it('keeps an erasure while a shape that it cuts is there', () => {
    new TestEditor()
      .tool('rectangle')
      .drag([
        [10, 10],
        [40, 40],
      ])
      .drag([
        [60, 60],
        [90, 90],
      ])
      .tool('eraser')
      .drag([
        [70, 70],
        [80, 70],
      ])
      .tool('select')
      .click(20, 20)
      .key('Delete')
      .expectShapes(2);
  });

  it('undoes ten thousand edits', () => {
    const editor = new TestEditor({ height: 8, width: 8 }).tool('brush');
    const { bytes } = editor;
    for (let i = 0; i < 1000; i++) editor.click(i % 8, 3);
    for (let i = 0; i < 9000; i++) editor.action('nothing');
    expect(undoDepth(editor.state.history)).toBe(10_000);
    editor.undoAll();
    expect(editor.bytes).toBe(bytes);
  });
});

describe('the registry of tools', () => {
  it('has a key for each, and each id once', () => {
    for (const { key } of tools) expect(key).not.toBe('');
    expect(new Set(tools.map(({ id }) => id)).size).toBe(tools.length);
  });

  it('has the names that the page promises', () => {
    const names = tools.map(({ id }) => englishText(toolName(id)));
    for (const name of ['Select', 'Polygon', 'Brush', 'Eraser']) expect(names).toContain(name);
  });
});
