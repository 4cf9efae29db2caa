import { describe, expect, it } from 'vitest';
import { TestEditor } from '../../support/test-editor';

const finger = (pointerId: number) => ({ pointer: 'touch', pointerId }) as const;
const pen = { pointer: 'pen', pointerId: 9 } as const;

describe('touch and pen', () => {
  it('draws with one finger', () => {
    new TestEditor()
      .tool('brush')
      .drag(
        [
          [20, 20],
          [40, 40],
        ],
        finger(1),
      )
      .expectShapes(1);
  });

  it('turns two fingers into pan and zoom and takes back what the first began', () => {
    const editor = new TestEditor()
      .tool('brush')
      .pointerDown(20, 50, finger(1))
      .pointerMove(25, 50, finger(1))
      .expectState('brush.painting')
      .pointerDown(65, 50, finger(2))
      .expectState('brush.idle')
      .pointerMove(105, 50, finger(2))
      .pointerUp(105, 50, finger(2))
      .pointerUp(25, 50, finger(1))
      .expectShapes(0)
      .expectHistory(0);
    const { zoom, panX } = editor.state.view.camera;
    expect(zoom).toBeCloseTo(2);
    expect(25 * zoom + panX).toBeCloseTo(25);
  });

  it('keeps the vertices of an outline through a pinch', () => {
    new TestEditor()
      .click(10, 10, finger(1))
      .click(40, 10, finger(1))
      .pointerDown(40, 40, finger(1))
      .pointerDown(80, 40, finger(2))
      .pointerUp(80, 40, finger(2))
      .pointerUp(40, 40, finger(1))
      .expectState('polygon.drawing')
      .key('Backspace')
      .expectSaid('1 point');
  });

  it('ignores a palm once a pen is used, before and after the pen comes down', () => {
    new TestEditor()
      .tool('brush')
      .pointerDown(90, 90, finger(1))
      .pointerDown(20, 20, pen)
      .pointerMove(95, 90, finger(1))
      .pointerMove(40, 20, pen)
      .pointerUp(40, 20, pen)
      .pointerUp(95, 90, finger(1))
      .expectShapes(1)
      .drag(
        [
          [60, 60],
          [80, 80],
        ],
        finger(1),
      )
      .expectShapes(1);
  });

  it('forgets a press that the browser took away', () => {
    new TestEditor()
      .tool('brush')
      .pointerDown(20, 20, finger(1))
      .pointerMove(30, 20, finger(1))
      .pointerCancel(30, 20, finger(1))
      .expectState('brush.idle')
      .expectShapes(0);
  });
});

describe('looking around', () => {
  it('pans with the middle button and with Space, whatever the tool', () => {
    const editor = new TestEditor().clicks([10, 10], [40, 10]);
    editor
      .pointerDown(50, 50, { button: 1 })
      .pointerMove(60, 45, { button: 1 })
      .pointerUp(60, 45, { button: 1 })
      .expectState('polygon.drawing');
    expect(editor.state.view.camera).toMatchObject({ panX: 10, panY: -5 });
    editor.keyDown(' ').pointerDown(50, 50).pointerMove(40, 55).pointerUp(40, 55).keyUp(' ');
    expect(editor.state.view.camera).toMatchObject({ panX: 0, panY: 0 });
  });

  it('zooms to the cursor with the wheel', () => {
    const editor = new TestEditor();
    editor.dispatch({ type: 'wheel', x: 30, y: 40, dx: 0, dy: -200, shift: false, mod: false });
    const { zoom, panX, panY } = editor.state.view.camera;
    expect(zoom).toBeGreaterThan(1.2);
    expect([30 * zoom + panX, 40 * zoom + panY]).toEqual([expect.closeTo(30), expect.closeTo(40)]);
  });

  it('fits the image and goes back to actual size', () => {
    const editor = new TestEditor({ view: { viewport: { width: 272, height: 432 } } }).key('f');
    expect(editor.state.view.camera).toEqual({ zoom: 2, panX: 16, panY: 116 });
    editor.key('0');
    expect(editor.state.view.camera.zoom).toBe(1);
  });

  it('zooms to a box and by clicks', () => {
    const editor = new TestEditor({ view: { viewport: { width: 232, height: 232 } } }).tool('zoom').drag([
      [10, 10],
      [40, 40],
      [60, 60],
    ]);
    expect(editor.state.view.camera.zoom).toBe(4);
    editor.click(100, 100, { shift: true });
    expect(editor.state.view.camera.zoom).toBe(2);
    editor.tool('pan').drag([
      [0, 0],
      [5, 5],
      [30, 10],
    ]);
    editor.expectHistory(0);
  });

  it('shows a hidden label again when someone draws on it', () => {
    const editor = new TestEditor().key('H', { shift: true }).click(10, 10);
    expect(editor.state.view.hidden.size).toBe(0);
  });

  it('ignores coordinates that are not numbers', () => {
    new TestEditor().tool('brush').pointerDown(Number.NaN, 3).expectState('brush.idle');
  });
});
