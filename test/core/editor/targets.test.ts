import { describe, expect, it } from 'vitest';
import { emptyDocument, joinDocuments, layerOf, unfinishedOf } from '@/lib/core/editor';
import { TestEditor } from '../../support/test-editor';

const targets = ['wing', 'tail'];
const start = () => new TestEditor({ labels: [...targets, 'neighbour'], targets });

const box = (editor: TestEditor, left: number, top: number) =>
  editor.tool('rectangle').drag([
    [left, top],
    [left + 20, top + 20],
  ]);

describe('several targets on one image', () => {
  it('are chosen by number, and a neighbour is not among them', () => {
    const editor = start();
    expect(editor.state.label).toBe('wing');
    expect(editor.key('2').state.label).toBe('tail');
    expect(editor.key('3').state.label).toBe('tail');
    expect(editor.key('1').state.label).toBe('wing');
  });

  it('are drawn one at a time: what is drawn for another one cannot be picked up', () => {
    const editor = start();
    box(editor, 10, 10).key('2');
    editor.tool('select').click(20, 20);
    expect(editor.state.selection.shapes).toEqual([]);
    editor.key('1').click(20, 20);
    expect(editor.state.selection.shapes).toHaveLength(1);
  });

  it('have histories of their own, which switching keeps', () => {
    const editor = start();
    box(editor, 10, 10);
    box(editor, 40, 10).key('2');
    box(editor, 70, 50).key('1');
    editor.undo(1);
    expect([editor.shapes('wing').length, editor.shapes('tail').length]).toEqual([1, 1]);
    editor.key('2').undo(1);
    expect([editor.shapes('wing').length, editor.shapes('tail').length]).toEqual([1, 0]);
    editor.key('1').redo(1);
    editor.key('2').redo(1);
    expect([editor.shapes('wing').length, editor.shapes('tail').length]).toEqual([2, 1]);
    const ids = editor.document.layers.flatMap(({ shapes }) => shapes.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
  });

  it('keep an unfinished outline until they are chosen again', () => {
    const editor = start();
    editor.tool('polygon').click(10, 10).click(40, 10).key('2');
    expect(editor.state.toolState.name).toBe('idle');
    expect(unfinishedOf(editor.state, 'wing')?.points).toHaveLength(4);
    box(editor, 70, 50).key('1');
    expect(editor.state.tool).toBe('polygon');
    editor.click(25, 40).key('Enter');
    expect(editor.shapes('wing')).toHaveLength(1);
    expect(editor.shapes('tail')).toHaveLength(1);
  });

  it('take another version of one of them without touching the others', () => {
    const editor = start();
    box(editor, 10, 10).key('2');
    box(editor, 50, 50);
    const other = new TestEditor({ labels: ['tail'] });
    box(box(other, 0, 0), 30, 30);
    const layer = layerOf(other.document, 'tail');
    if (layer) editor.dispatch({ type: 'adopt', layer });
    expect([editor.shapes('wing').length, editor.shapes('tail').length]).toEqual([1, 2]);
    editor.undo(1);
    expect(editor.shapes('tail')).toHaveLength(2);
    editor.key('1').undo(1);
    expect(editor.shapes('wing')).toHaveLength(0);
  });
});

it('documents of one image are joined with ids that differ', () => {
  const drawn = targets.map((label) => {
    const editor = new TestEditor({ labels: [label] });
    return box(editor, 10, 10).document;
  });
  const joined = joinDocuments([...drawn, emptyDocument(100, 120, ['door'])]);
  expect(joined.layers.map(({ label, shapes }) => [label, shapes.length])).toEqual([
    ['wing', 1],
    ['tail', 1],
    ['door', 0],
  ]);
  expect(joined.layers.flatMap(({ shapes }) => shapes.map(({ id }) => id))).toEqual([1, 2]);
  expect(joined.nextId).toBe(3);
});
