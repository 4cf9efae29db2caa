import { describe, expect, it } from 'vitest';
import { previewOf } from '@/lib/core/editor';
import { cutLoops, ringCrossing } from '@/lib/core/geometry';
import { iou, type PolygonShape, rasterizeShapes } from '@/lib/core/mask';
import { TestEditor } from '../../support/test-editor';

const circle = (count: number, radius: number, centre = 150) =>
  Array.from({ length: count }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / count;
    return [centre + radius * Math.cos(angle), centre + radius * Math.sin(angle)];
  });

const figureEight = [
  [10, 10],
  [60, 60],
  [60, 10],
  [10, 60],
] as const;

const crossingOf = (editor: TestEditor) => {
  const [preview] = previewOf(editor.state);
  return preview?.kind === 'outline' || preview?.kind === 'replaced' ? preview.crossing : undefined;
};

describe('a freehand line', () => {
  it('around a circle does not keep 192 vertices, and covers the same pixels', () => {
    const drawn = circle(192, 100);
    const editor = new TestEditor({ height: 300, width: 300, labels: ['wheel'] });
    editor.tool('polygon').drag([...drawn, drawn[0] as [number, number]]);
    const [shape] = editor.shapes() as PolygonShape[];
    const before = rasterizeShapes(
      [{ kind: 'polygon', op: 'add', outer: drawn.flat(), holes: [] }],
      300,
      300,
    );
    const vertices = (shape?.outer.length ?? 0) / 2;
    const overlap = iou(editor.mask(), before);
    // 192 vertices become 32. The IoU between the two is 0.994.
    expect(vertices).toBeLessThanOrEqual(32);
    expect(overlap).toBeGreaterThan(0.99);
  });

  it('keeps its corners', () => {
    const editor = new TestEditor();
    const along = (from: number, to: number) =>
      Array.from({ length: 10 }, (_, i) => from + ((to - from) * i) / 9);
    editor
      .tool('polygon')
      .drag([...along(10, 90).map((x) => [x, 10] as const), ...along(10, 90).map((y) => [90, y] as const)])
      .key('Enter');
    expect(editor.shapes()).toMatchObject([{ outer: Float64Array.from([10, 10, 90, 10, 90, 90]) }]);
  });
});

describe('an outline that crosses itself', () => {
  it('is refused with the right reason also where it is symmetrical, and can be corrected', () => {
    const editor = new TestEditor();
    editor
      .tool('polygon')
      .clicks(...figureEight)
      .key('Enter');
    editor.expectShapes(0).expectSaid('crosses itself').expectState('polygon.drawing');
    expect(crossingOf(editor)).toEqual([35, 35]);
    editor.key('Backspace').key('Backspace').click(10, 60).key('Enter').expectShapes(1);
  });

  it('is refused where it is not symmetrical, too', () => {
    const editor = new TestEditor();
    editor.tool('polygon').clicks([10, 10], [90, 60], [60, 10], [10, 60]).key('Enter');
    editor.expectShapes(0).expectSaid('crosses itself');
  });

  it('shows where while it is drawn', () => {
    const editor = new TestEditor();
    editor.tool('polygon').clicks([10, 10], [60, 60], [60, 10]);
    expect(crossingOf(editor)).toBeUndefined();
    editor.pointerMove(10, 60);
    expect(crossingOf(editor)).toEqual([35, 35]);
    editor.click(10, 60).pointerMove(5, 90);
    expect(crossingOf(editor)).toEqual([35, 35]);
    editor.key('Backspace').pointerMove(80, 10);
    expect(crossingOf(editor)).toBeUndefined();
  });

  it('loses the small loop where the ends of a freehand line overshoot each other', () => {
    const drawn = [...circle(60, 100), ...circle(60, 100).slice(0, 1), [252, 156], [246, 150]] as const;
    const ring = cutLoops(drawn.flat(), 0.02);
    expect(ringCrossing(drawn.flat())).toBeDefined();
    expect(ringCrossing(ring)).toBeUndefined();
    expect(cutLoops(figureEight.flat(), 0.02)).toEqual(figureEight.flat());
  });

  it('does not come from dragging a vertex either', () => {
    const editor = new TestEditor();
    editor.tool('rectangle').drag([
      [10, 10],
      [60, 60],
    ]);
    editor.tool('vertex').click(30, 30);
    editor.pointerDown(60, 60).pointerMove(50, 50).pointerMove(30, 0);
    expect(crossingOf(editor)).toBeDefined();
    editor.pointerUp(30, 0).expectSaid('would cross itself').expectHistory(1);
  });
});

describe('the handles of the selected shape', () => {
  const selected = (more = {}) =>
    new TestEditor(more)
      .tool('rectangle')
      .drag([
        [10, 10],
        [90, 60],
      ])
      .tool('select')
      .click(50, 35);

  it('move a vertex without another tool', () => {
    const editor = selected().drag([
      [97, 60],
      [100, 70],
    ]);
    expect((editor.shapes()[0] as PolygonShape).outer).toContain(70);
    expect(editor.state.tool).toBe('select');
    editor.expectState('select.idle');
  });

  it('insert a vertex in the middle of an edge, and nowhere else on it', () => {
    const editor = selected().drag([
      [50, 10],
      [50, 0],
    ]);
    expect((editor.shapes()[0] as PolygonShape).outer.length).toBe(10);
    editor
      .undo()
      .click(50, 35)
      .drag([
        [30, 12],
        [35, 12],
      ]);
    expect((editor.shapes()[0] as PolygonShape).outer.length).toBe(8);
  });

  it('are wider for a finger than for a mouse', () => {
    const near = [
      [90, 80],
      [100, 90],
    ] as const;
    const byMouse = selected().drag(near);
    expect(byMouse.state.selection.shapes).toEqual([]);
    const byFinger = selected().drag(near, { pointer: 'touch', pointerId: 7 });
    expect((byFinger.shapes()[0] as PolygonShape).outer).toContain(90);
    expect(byFinger.state.selection.vertices).toHaveLength(1);
  });
});

describe('a finger', () => {
  const finger = { pointer: 'touch', pointerId: 7 } as const;

  it('that rests first places a vertex where it is lifted', () => {
    const editor = new TestEditor().tool('polygon');
    editor.pointerDown(10, 10, finger).wait(400).pointerMove(22, 10, finger).pointerMove(30, 14, finger);
    editor.pointerUp(30, 14, finger).expectState('polygon.drawing');
    expect(previewOf(editor.state)).toMatchObject([{ points: Float64Array.from([30, 14]) }]);
  });

  it('that moves at once draws freehand', () => {
    const editor = new TestEditor().tool('polygon');
    editor.pointerDown(10, 10, finger).pointerMove(40, 10, finger).pointerMove(40, 50, finger);
    editor.pointerUp(40, 50, finger);
    expect(previewOf(editor.state)).toMatchObject([{ points: Float64Array.from([10, 10, 40, 10, 40, 50]) }]);
  });
});
