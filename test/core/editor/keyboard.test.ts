import { describe, expect, it } from 'vitest';
import { TestEditor } from '../../support/test-editor';

const press = (editor: TestEditor, key: string, times: number, held = {}) => {
  for (let i = 0; i < times; i++) editor.key(key, held);
  return editor;
};

describe('drawing with the keyboard alone', () => {
  it('places vertices with Enter at a cursor moved by arrows and closes at the same place', () => {
    const editor = new TestEditor({ view: { viewport: { width: 120, height: 100 } } }).tool('polygon');
    press(editor, 'ArrowRight', 1).expectSaid('61, 50');
    editor.key('Enter').expectState('polygon.drawing').expectSaid('point 1, wing');
    press(editor, 'ArrowRight', 2, { shift: true }).key('Enter').expectSaid('point 2, wing');
    press(editor, 'ArrowDown', 2, { shift: true }).key('Enter').expectSaid('point 3, wing');
    editor.key('Enter').expectState('polygon.idle').expectShapes(1);
    expect(editor.shapes()[0]).toMatchObject({ outer: Float64Array.from([61, 50, 81, 50, 81, 70]) });
  });

  it('sizes a rectangle with two presses of Enter', () => {
    const editor = new TestEditor().tool('rectangle').pointerMove(10, 10);
    press(editor, 'ArrowDown', 1).key('Enter').expectState('rectangle.sizing');
    press(editor, 'ArrowRight', 3, { shift: true });
    press(editor, 'ArrowDown', 2, { shift: true }).key('Enter').expectState('rectangle.idle').expectArea(600);
  });

  it('paints between two presses of Enter', () => {
    const editor = new TestEditor({ settings: { brushRadius: 3 } }).tool('brush').pointerMove(20, 20);
    press(editor, 'ArrowRight', 1).key('Enter').expectState('brush.painting');
    press(editor, 'ArrowRight', 2, { shift: true }).key('Enter').expectState('brush.idle').expectShapes(1);
    expect(editor.shapes()[0]).toMatchObject({ points: Float64Array.from([21, 20, 31, 20, 41, 20]) });
  });

  it('keeps the cursor on the image and in view', () => {
    const editor = new TestEditor({ view: { viewport: { width: 60, height: 60 } } }).tool('polygon');
    press(editor, 'ArrowRight', 30, { shift: true });
    expect(editor.state.cursor).toEqual([120, 30]);
    expect(editor.state.view.camera.panX).toBeLessThan(0);
  });

  it('gives the hand back to the mouse when that moves', () => {
    const editor = new TestEditor().tool('polygon').key('ArrowRight').pointerMove(30, 30);
    expect(editor.state.cursor).toBeUndefined();
  });
});

describe('keys and buttons', () => {
  it('reaches every tool by its key', () => {
    new TestEditor().key('b').expectState('brush.idle').key('v').expectState('select.idle').key('w');
  });

  it('picks a label by digit and says its name', () => {
    new TestEditor().key('2').expectSaid('tail').key('9').expectSaid('tail');
  });

  it('says "nothing to label", takes the shapes away with it, and takes it back when something is drawn', () => {
    const editor = new TestEditor().tool('rectangle').drag([
      [10, 10],
      [30, 30],
      [40, 40],
    ]);
    editor.key('n').expectShapes(0).expectSaid('Nothing to label: wing').undo().expectShapes(1).redo();
    expect(editor.document.layers[0]?.nothing).toBe(true);
    editor.drag([
      [10, 10],
      [30, 30],
      [40, 40],
    ]);
    expect(editor.document.layers[0]?.nothing).toBe(false);
  });

  it('hands what the page does to the page', () => {
    const editor = new TestEditor().key('Enter', { mod: true }).key('?', { shift: true });
    expect(editor.effects).toEqual([
      { kind: 'action', action: 'done' },
      { kind: 'action', action: 'shortcuts' },
    ]);
  });

  it('deletes with Backspace when nothing is being drawn', () => {
    const editor = new TestEditor().tool('rectangle').drag([
      [10, 10],
      [30, 30],
      [40, 40],
    ]);
    editor.tool('select').click(20, 20).key('Backspace').expectShapes(0);
  });

  it('uses the keys that a person chose', () => {
    const editor = new TestEditor();
    editor.dispatch({ type: 'keys', choices: { 'tool-brush': ['Q'] } });
    editor.key('b').expectState('polygon.idle').key('q').expectState('brush.idle');
  });

  it('changes nothing while someone else holds the drawing', () => {
    const editor = new TestEditor({ settings: { readOnly: true } });
    editor.clicks([10, 10], [40, 10]).expectState('polygon.idle').expectSaid('cannot change it here');
    editor.key('n').undo().redo().expectHistory(0);
  });
});
