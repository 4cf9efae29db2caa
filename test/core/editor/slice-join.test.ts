import { describe, expect, it } from 'vitest';
import { fromAnswer } from '@/lib/core/editor';
import { encodeCounts, type Mask, type PolygonShape, rasterizeBox, toBitmap } from '@/lib/core/mask';
import { square, TestEditor } from '../../support/test-editor';

const outer = (editor: TestEditor) => Array.from((editor.shapes()[0] as PolygonShape).outer);
const hasPixel = (mask: Mask, x: number, y: number) => toBitmap(mask)[y * mask.width + x] === 1;

describe('slice and join', () => {
  it('parts a polygon along a line and joins the pieces again', () => {
    const editor = new TestEditor()
      .tool('rectangle')
      .drag([
        [20, 20],
        [60, 60],
      ])
      .tool('slice');
    editor
      .drag([
        [40, 10],
        [40, 50],
        [40, 70],
      ])
      .expectShapes(2)
      .expectArea(1600)
      .expectHistory(2)
      .tool('join')
      .click(30, 30)
      .expectState('join.picked')
      .click(50, 30)
      .expectState('join.idle')
      .expectShapes(1)
      .expectArea(1600);
    expect(outer(editor)).toHaveLength(8);
  });

  it('gives a hole to the piece around it, and opens a hole that the line crosses', () => {
    const ring = () =>
      new TestEditor()
        .tool('rectangle')
        .drag([
          [10, 10],
          [90, 90],
        ])
        .tool('polygon-erase')
        .clicks(...square(20, 20, 20))
        .key('Enter')
        .tool('slice');
    const beside = ring()
      .drag([
        [60, 0],
        [60, 50],
        [60, 99],
      ])
      .expectShapes(2);
    expect(
      beside
        .shapes()
        .map((shape) => (shape as PolygonShape).holes.length)
        .sort(),
    ).toEqual([0, 1]);
    const across = ring()
      .drag([
        [30, 0],
        [30, 50],
        [30, 99],
      ])
      .expectShapes(2)
      .expectArea(80 * 80 - 400);
    expect(across.shapes().map((shape) => (shape as PolygonShape).holes.length)).toEqual([0, 0]);
  });

  it('refuses a line that ends inside', () => {
    new TestEditor()
      .tool('rectangle')
      .drag([
        [20, 20],
        [60, 60],
      ])
      .tool('slice')
      .drag([
        [40, 10],
        [40, 30],
        [40, 40],
      ])
      .expectShapes(1)
      .expectHistory(1)
      .expectSaid('from side to side');
  });

  it('parts brush strokes along the line without changing a pixel', () => {
    const editor = new TestEditor({ settings: { brushRadius: 6 } })
      .tool('brush')
      .drag([
        [20, 40],
        [60, 42],
        [90, 40],
      ])
      .tool('eraser')
      .drag([
        [70, 20],
        [70, 60],
      ]);
    const before = editor.mask();
    editor
      .tool('slice')
      .drag([
        [41, 20],
        [44, 40],
        [46, 65],
      ])
      .expectSaid('Cut into 2 pieces')
      .expectHistory(3);
    expect(editor.mask()).toEqual(before);
    // Both sides of the cut, what the eraser parted before, and the eraser's own stroke.
    editor.expectShapes(4);
    editor.tool('select').click(25, 40).key('Delete').expectShapes(3);
    expect(hasPixel(editor.mask(), 25, 40)).toBe(false);
    expect(hasPixel(editor.mask(), 55, 42)).toBe(true);
  });

  it('parts a bitmap and a polygon below it together', () => {
    const counts = encodeCounts(rasterizeBox([20, 20, 40, 20], 100, 120));
    const editor = new TestEditor({
      document: fromAnswer(
        {
          kind: 'mask',
          shapes: [
            { kind: 'polygon', op: 'add', outer: [30, 35, 50, 35, 50, 60, 30, 60], holes: [] },
            { kind: 'bitmap', op: 'add', size: [100, 120], counts },
          ],
        },
        'wing',
        { height: 100, width: 120, labels: ['wing', 'tail'] },
      ),
    });
    const before = editor.mask();
    editor
      .tool('slice')
      .drag([
        [40, 10],
        [40, 40],
        [40, 80],
      ])
      .expectShapes(2)
      .expectHistory(1);
    expect(editor.mask()).toEqual(before);
    editor.undo().expectShapes(2).redo();
    expect(editor.mask()).toEqual(before);
  });

  it('refuses a line that ends inside of a brush stroke', () => {
    new TestEditor({ settings: { brushRadius: 10 } })
      .tool('brush')
      .drag([
        [20, 40],
        [90, 40],
      ])
      .tool('slice')
      .drag([
        [50, 10],
        [50, 30],
        [50, 42],
      ])
      .expectSaid('from side to side')
      .expectHistory(1);
  });

  it('joins brush strokes along their pixels and refuses shapes that do not touch', () => {
    new TestEditor({ settings: { brushRadius: 5 } })
      .tool('brush')
      .drag([
        [20, 20],
        [40, 20],
      ])
      .drag([
        [40, 20],
        [40, 40],
      ])
      .drag([
        [80, 80],
        [90, 80],
      ])
      .tool('join')
      .clicks([22, 20], [40, 38])
      .expectShapes(2)
      .clicks([22, 20], [85, 80])
      .expectSaid('do not touch')
      .expectShapes(2);
  });

  it('joins overlapping polygons by their vertices', () => {
    const editor = new TestEditor({ settings: { snapping: false } })
      .tool('rectangle')
      .drag([
        [10, 10],
        [50, 50],
      ])
      .drag([
        [30, 30],
        [80, 80],
      ])
      .expectArea(1600 + 2500 - 400)
      .tool('join')
      .clicks([15, 15], [75, 75])
      .expectShapes(1)
      .expectArea(1600 + 2500 - 400);
    expect(outer(editor)).toHaveLength(16);
  });
});
