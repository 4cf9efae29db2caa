import { describe, expect, it } from 'vitest';
import { findShape } from '@/lib/core/editor';
import type { PolygonShape } from '@/lib/core/mask';
import { square, TestEditor } from '../../support/test-editor';

const outer = (editor: TestEditor, index = 0) => Array.from((editor.shapes()[index] as PolygonShape).outer);

describe('rectangle and ellipse', () => {
  it('come from a drag or from two clicks, and are polygons', () => {
    const dragged = new TestEditor().tool('rectangle').drag([
      [40, 30],
      [20, 20],
      [10, 10],
    ]);
    expect(outer(dragged)).toEqual([10, 10, 40, 10, 40, 30, 10, 30]);
    const clicked = new TestEditor()
      .tool('rectangle')
      .click(10, 10)
      .expectState('rectangle.sizing')
      .click(40, 30);
    expect(outer(clicked)).toEqual(outer(dragged));
  });

  it('are even while Shift is held', () => {
    new TestEditor()
      .tool('rectangle')
      .drag(
        [
          [10, 10],
          [30, 40],
        ],
        { shift: true },
      )
      .expectArea(900);
  });

  it('draws an ellipse to a quarter of a pixel', () => {
    const editor = new TestEditor().tool('ellipse').drag([
      [10, 10],
      [90, 50],
    ]);
    const points = outer(editor);
    for (let i = 0; i < points.length; i += 2) {
      const x = ((points[i] as number) - 50) / 40;
      const y = ((points[i + 1] as number) - 30) / 20;
      expect(Math.hypot(x, y)).toBeCloseTo(1, 2);
    }
    expect(points.length / 2).toBeGreaterThan(20);
  });

  it('refuses a rectangle without area', () => {
    new TestEditor().tool('rectangle').clicks([10, 10], [10, 40]).expectShapes(0).expectSaid('Too small');
  });
});

describe('brush and eraser', () => {
  it('makes one shape and one entry of a stroke', () => {
    const editor = new TestEditor({ settings: { brushRadius: 4 } })
      .tool('brush')
      .drag([
        [20, 20],
        [40, 20],
        [60, 30],
      ])
      .expectShapes(1)
      .expectHistory(1)
      .expectMask([{ kind: 'stroke', op: 'add', points: [20, 20, 40, 20, 60, 30], radius: 4 }]);
    const painted = editor.bytes;
    editor.undo().expectShapes(0).expectState('brush.idle').redo();
    expect(editor.bytes).toBe(painted);
  });

  it('paints a dot with a click and erases it again', () => {
    new TestEditor({ settings: { brushRadius: 5 } })
      .tool('eraser')
      .click(30, 30)
      .expectSaid('nothing to erase')
      .expectShapes(0)
      .tool('brush')
      .click(30, 30)
      .expectShapes(1)
      .tool('eraser')
      .click(30, 30)
      .expectShapes(2)
      .expectArea(0);
  });

  it('keeps every coalesced place of a fast stroke', () => {
    const editor = new TestEditor().tool('brush').pointerDown(10, 10);
    editor.dispatch({
      type: 'pointer-move',
      pointerId: 1,
      pointer: 'mouse',
      x: 40,
      y: 10,
      trail: [20, 20, 30, 20],
      button: 0,
      shift: false,
      time: 20,
    });
    editor.pointerUp(40, 10);
    expect(editor.shapes()[0]).toMatchObject({ points: Float64Array.from([10, 10, 20, 20, 30, 20, 40, 10]) });
  });

  it('changes the size of the brush by key and by wheel', () => {
    const editor = new TestEditor({ settings: { brushRadius: 10 } }).tool('brush').keys(']', ']', '[');
    expect(editor.state.settings.brushRadius).toBe(12);
    editor.dispatch({ type: 'wheel', x: 0, y: 0, dx: 0, dy: 100, shift: true, mod: false });
    expect(editor.state.settings.brushRadius).toBeLessThan(12);
    expect(editor.state.view.camera.zoom).toBe(1);
  });
});

describe('selecting and moving', () => {
  const two = () =>
    new TestEditor()
      .tool('rectangle')
      .drag([
        [10, 10],
        [30, 30],
      ])
      .drag([
        [50, 50],
        [80, 80],
      ])
      .tool('select');

  it('selects by click, adds with Shift, and moves what is selected as one entry', () => {
    const editor = two().click(20, 20).click(60, 60, { shift: true });
    expect(editor.state.selection.shapes).toHaveLength(2);
    editor
      .drag([
        [20, 20],
        [22, 26],
        [25, 22],
      ])
      .expectHistory(3)
      .undo()
      .expectHistory(2, 1)
      .redo();
    expect(outer(editor)).toEqual([15, 12, 35, 12, 35, 32, 15, 32]);
    expect(outer(editor, 1)).toEqual([55, 52, 85, 52, 85, 82, 55, 82]);
  });

  it('selects several with a box, deletes them, and forgets the selection', () => {
    const editor = two()
      .drag([
        [5, 5],
        [50, 50],
        [60, 60],
      ])
      .key('Delete')
      .expectShapes(0)
      .expectHistory(3);
    expect(editor.state.selection.shapes).toEqual([]);
    editor.undo().expectShapes(2);
  });

  it('nudges by the keyboard and steps through the shapes', () => {
    const editor = two().key('.').expectSaid('wing, shape 1 of 2').key('.').key('ArrowUp', { alt: true });
    expect(outer(editor, 1)).toEqual([50, 49, 80, 49, 80, 79, 50, 79]);
  });

  it('gives the selection another label', () => {
    two()
      .click(20, 20)
      .keys('2', 'l')
      .expectShapes(1, 'wing')
      .expectShapes(1, 'tail')
      .undo()
      .expectShapes(2, 'wing');
  });

  it('leaves hidden and locked labels alone', () => {
    const editor = two().key('L', { shift: true });
    editor.click(20, 20);
    expect(editor.state.selection.shapes).toEqual([]);
    editor
      .tool('brush')
      .drag([
        [1, 1],
        [9, 9],
      ])
      .expectSaid('wing is locked')
      .expectShapes(2);
  });

  it('hiding is not part of the document', () => {
    const editor = two();
    const before = editor.bytes;
    editor.key('H', { shift: true });
    expect(editor.bytes).toBe(before);
    expect(editor.state.view.hidden.has('wing')).toBe(true);
    editor.expectHistory(2);
  });
});

describe('editing vertices', () => {
  const drawn = () =>
    new TestEditor()
      .tool('rectangle')
      .drag([
        [20, 20],
        [60, 60],
      ])
      .tool('vertex');

  it('drags a vertex', () => {
    const editor = drawn()
      .pointerDown(21, 20)
      .expectState('vertex.pointing')
      .pointerMove(10, 10)
      .expectState('vertex.dragging')
      .pointerUp(10, 10)
      .expectState('vertex.idle')
      .expectHistory(2);
    expect(outer(editor)).toEqual([10, 10, 60, 20, 60, 60, 20, 60]);
    expect(outer(editor.undo())).toEqual([20, 20, 60, 20, 60, 60, 20, 60]);
  });

  it('inserts on an edge and drags the new vertex in one entry', () => {
    const editor = drawn()
      .drag([
        [40, 21],
        [40, 12],
        [40, 5],
      ])
      .expectHistory(2);
    expect(outer(editor)).toEqual([20, 20, 40, 5, 60, 20, 60, 60, 20, 60]);
  });

  it('deletes by double click and by key, but keeps three', () => {
    const editor = drawn().doubleClick(20, 20);
    expect(outer(editor)).toEqual([60, 20, 60, 60, 20, 60]);
    editor.click(60, 20).key('Delete').expectSaid('at least 3');
    expect(outer(editor)).toHaveLength(6);
  });

  it('moves several vertices chosen with a box', () => {
    const editor = drawn().click(40, 40);
    editor.drag([
      [5, 5],
      [50, 10],
      [70, 30],
    ]);
    expect(editor.state.selection.vertices).toHaveLength(2);
    editor.drag([
      [20, 20],
      [20, 10],
      [22, 10],
    ]);
    expect(outer(editor)).toEqual([22, 10, 62, 10, 60, 60, 20, 60]);
  });
});

describe('fill hole', () => {
  it('fills what several shapes enclose together', () => {
    new TestEditor({ settings: { brushRadius: 4 } })
      .tool('brush')
      .drag([...square(20, 20, 40), [20, 20]])
      .tool('fill-hole')
      .click(40, 40)
      .expectShapes(2)
      .expectSaid('Hole filled')
      .click(40, 40)
      .expectSaid('no hole');
  });
});

describe('ids', () => {
  it('are kept by an edit and never given twice', () => {
    const editor = new TestEditor()
      .tool('rectangle')
      .drag([
        [10, 10],
        [40, 40],
      ])
      .tool('slice');
    editor
      .drag([
        [20, 0],
        [20, 30],
        [20, 60],
      ])
      .undo();
    editor.tool('rectangle').drag([
      [50, 50],
      [70, 70],
    ]);
    expect(findShape(editor.document, 1)).toBeDefined();
    expect(new Set(editor.document.layers.flatMap((layer) => layer.shapes.map(({ id }) => id))).size).toBe(2);
  });
});
