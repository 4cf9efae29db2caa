import { describe, expect, it } from 'vitest';
import { area, intersection, type PolygonShape, union } from '@/lib/core/mask';
import { TestEditor } from '../../support/test-editor';

const outer = (editor: TestEditor, label: string) =>
  Array.from((editor.shapes(label)[0] as PolygonShape).outer);

const withNeighbour = (settings = {}) =>
  new TestEditor({ settings }).tool('rectangle').drag([
    [20, 20],
    [30, 40],
    [60, 80],
  ]);

describe('shared borders', () => {
  it('snaps to a vertex first, to an edge otherwise, within screen pixels', () => {
    const editor = withNeighbour().label('tail').tool('polygon');
    editor.clicks([64, 23], [66, 50], [90, 50], [90, 20]).key('Enter');
    expect(outer(editor, 'tail')).toEqual([60, 20, 60, 50, 90, 50, 90, 20]);
  });

  it('reaches fewer image pixels when zoomed in', () => {
    const editor = withNeighbour().label('tail').tool('polygon');
    editor.dispatch({ type: 'view', view: { camera: { zoom: 4, panX: 0, panY: 0 } } });
    editor.clicks([256, 92], [360, 200], [360, 80]).key('Enter');
    expect(outer(editor, 'tail').slice(0, 2)).toEqual([64, 23]);
  });

  it('does not snap while its key is held, nor when switched off, nor to what is hidden', () => {
    const held = withNeighbour().label('tail').tool('polygon').keyDown('s');
    held.clicks([64, 23], [90, 50], [90, 20]).keyUp('s').key('Enter');
    expect(outer(held, 'tail').slice(0, 2)).toEqual([64, 23]);
    const off = withNeighbour({ snapping: false }).label('tail').tool('polygon');
    off.clicks([64, 23], [90, 50], [90, 20]).key('Enter');
    expect(outer(off, 'tail').slice(0, 2)).toEqual([64, 23]);
    const hidden = withNeighbour().key('H', { shift: true }).label('tail').tool('polygon');
    hidden.clicks([64, 23], [90, 50], [90, 20]).key('Enter');
    expect(outer(hidden, 'tail').slice(0, 2)).toEqual([64, 23]);
  });

  it("follows a neighbour's border between two points, so that no gap and no overlap remains", () => {
    const editor = withNeighbour().label('tail').tool('polygon');
    editor.clicks([40, 20]).keyDown('t').click(60, 60).keyUp('t');
    editor.clicks([90, 60], [90, 5], [40, 5]).key('Enter');
    expect(outer(editor, 'tail')).toEqual([40, 20, 60, 20, 60, 60, 90, 60, 90, 5, 40, 5]);
    expect(area(intersection(editor.mask('wing'), editor.mask('tail')))).toBe(0);
  });

  it('follows the longer way round with Shift, and undo takes the whole traced step back', () => {
    const editor = withNeighbour().label('tail').tool('polygon');
    editor.clicks([40, 20]).keyDown('t').click(60, 60, { shift: true }).keyUp('t');
    editor.undo().expectSaid('1 point').redo().expectSaid('5 points');
  });

  it('brings a dragged vertex exactly onto the vertex of a neighbour', () => {
    const editor = withNeighbour().label('tail').tool('rectangle');
    editor.keyDown('s').drag([
      [70, 20],
      [80, 40],
      [90, 80],
    ]);
    editor
      .keyUp('s')
      .tool('vertex')
      .drag([
        [70, 20],
        [66, 20],
        [63, 21],
      ]);
    expect(outer(editor, 'tail').slice(0, 2)).toEqual([60, 20]);
  });
});

describe('the rule "subtract other parts"', () => {
  it('leaves the pixels of other labels to them, in the same entry', () => {
    const editor = withNeighbour({ subtractOthers: true, snapping: false }).label('tail');
    editor
      .drag([
        [50, 30],
        [70, 50],
        [90, 70],
      ])
      .expectHistory(2)
      .expectArea(40 * 40 - 10 * 40, 'tail')
      .expectArea(40 * 60, 'wing');
    const drawn = editor.bytes;
    editor.undo().expectShapes(0, 'tail').redo();
    expect(editor.bytes).toBe(drawn);
  });

  it('also holds for moved shapes, and leaves older overlaps alone', () => {
    const editor = withNeighbour({ snapping: false }).label('tail');
    editor.drag([
      [50, 30],
      [70, 50],
      [90, 70],
    ]);
    const overlap = area(intersection(editor.mask('wing'), editor.mask('tail')));
    expect(overlap).toBe(400);
    const everything = area(union(editor.mask('wing'), editor.mask('tail')));
    editor.dispatch({ type: 'settings', settings: { subtractOthers: true } });
    editor
      .tool('select')
      .click(80, 50)
      .drag([
        [80, 50],
        [75, 50],
        [70, 50],
      ]);
    expect(area(intersection(editor.mask('wing'), editor.mask('tail')))).toBe(overlap);
    expect(area(union(editor.mask('wing'), editor.mask('tail')))).toBe(everything - 400);
  });
});
