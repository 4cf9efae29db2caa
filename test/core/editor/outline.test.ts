import { describe, expect, it } from 'vitest';
import { square, TestEditor } from '../../support/test-editor';

describe('drawing a polygon', () => {
  it('places a vertex per click and closes at the first vertex', () => {
    new TestEditor()
      .tool('polygon')
      .expectState('polygon.idle')
      .pointerDown(10, 10)
      .expectState('polygon.pointing')
      .pointerUp(10, 10)
      .expectState('polygon.drawing')
      .clicks([40, 10], [40, 40], [10, 40])
      .expectSaid('point 4, wing')
      .click(12, 11)
      .expectState('polygon.idle')
      .expectShapes(1)
      .expectHistory(1)
      .expectArea(900);
  });

  it('closes with Enter and with a double click', () => {
    new TestEditor()
      .clicks(...square(10, 10, 20))
      .key('Enter')
      .expectShapes(1)
      .expectArea(400);
    new TestEditor().clicks([10, 10], [30, 10], [30, 30]).doubleClick(10, 30).expectShapes(1).expectArea(400);
  });

  it('draws freehand while dragging and goes on with clicks afterwards', () => {
    const editor = new TestEditor()
      .drag([
        [10, 10],
        [20, 10],
        [30, 12],
        [40, 10],
      ])
      .expectState('polygon.drawing')
      .clicks([40, 40], [10, 40])
      .key('Enter');
    expect(editor.shapes()[0]).toMatchObject({
      outer: Float64Array.from([10, 10, 20, 10, 30, 12, 40, 10, 40, 40, 10, 40]),
    });
  });

  it('closes a freehand drag that comes back to its start', () => {
    new TestEditor()
      .drag([...square(10, 10, 30), [10, 12]])
      .expectState('polygon.idle')
      .expectShapes(1);
  });

  it('takes back one vertex with Backspace, one step with undo, and redoes it', () => {
    const editor = new TestEditor().clicks([10, 10], [40, 10]);
    editor
      .drag([
        [40, 20],
        [55, 30],
        [40, 40],
      ])
      .key('Backspace')
      .expectSaid('4 points')
      .undo()
      .expectSaid('2 points')
      .redo()
      .expectSaid('4 points')
      .expectState('polygon.drawing')
      .expectHistory(0);
  });

  it('stays in the tool after the last undo and brings the outline back with redo', () => {
    new TestEditor()
      .clicks([10, 10], [40, 10])
      .undo(2)
      .expectState('polygon.idle')
      .redo()
      .expectState('polygon.drawing')
      .expectSaid('an outline with 1 point')
      .clicks([40, 10], [40, 40])
      .key('Enter')
      .expectShapes(1);
  });

  it('does not touch earlier shapes when an unfinished outline is undone', () => {
    new TestEditor()
      .clicks(...square(10, 10, 20))
      .key('Enter')
      .clicks([60, 60], [70, 60])
      .undo()
      .expectShapes(1)
      .undo()
      .expectShapes(1)
      .expectState('polygon.idle')
      .undo()
      .expectShapes(0);
  });

  it('gives a cancelled outline back on redo', () => {
    new TestEditor()
      .clicks([10, 10], [40, 10], [40, 40])
      .key('Escape')
      .expectState('polygon.idle')
      .expectShapes(0)
      .redo()
      .key('Enter')
      .expectShapes(1);
  });

  it('removes repeated points and points on straight lines, and says how many', () => {
    const editor = new TestEditor()
      .clicks([10, 10], [20, 10], [30, 10], [30, 30], [30, 30], [10, 30])
      .key('Enter')
      .expectSaid('Polygon, 4 points, 2 needless points removed');
    expect(editor.shapes()[0]).toMatchObject({ outer: Float64Array.from([10, 10, 30, 10, 30, 30, 10, 30]) });
  });

  it('does not close around nothing, and keeps the outline', () => {
    new TestEditor()
      .clicks([10, 10], [40, 10])
      .key('Enter')
      .expectState('polygon.drawing')
      .expectSaid('at least 3 points')
      .clicks([70, 10])
      .key('Enter')
      .expectState('polygon.drawing')
      .expectShapes(0);
  });

  it('keeps points outside of the image, and says so when a shape lies wholly outside', () => {
    new TestEditor().clicks([-20, -20], [30, -20], [30, 30], [-20, 30]).key('Enter').expectArea(900);
    new TestEditor()
      .clicks([200, 200], [230, 200], [230, 230])
      .key('Enter')
      .expectShapes(1)
      .expectArea(0)
      .expectSaid('outside of the image');
  });

  it('draws with the label that is current when it closes', () => {
    new TestEditor()
      .clicks(...square(10, 10, 20))
      .keys('2', 'Enter')
      .expectShapes(0, 'wing')
      .expectShapes(1, 'tail');
  });
});

describe('cutting a hole', () => {
  it('makes a hole of the polygon around it', () => {
    const editor = new TestEditor()
      .clicks(...square(10, 10, 40))
      .key('Enter')
      .tool('polygon-erase')
      .clicks(...square(20, 20, 20))
      .key('Enter')
      .expectShapes(1)
      .expectArea(1600 - 400)
      .expectHistory(2);
    expect(editor.shapes()[0]).toMatchObject({
      holes: [Float64Array.from([20, 20, 40, 20, 40, 40, 20, 40])],
    });
  });

  it('erases where the outline leaves the polygon, and where another shape lies below', () => {
    new TestEditor()
      .clicks(...square(10, 10, 40))
      .key('Enter')
      .tool('polygon-erase')
      .clicks(...square(30, 20, 40))
      .key('Enter')
      .expectShapes(2)
      .expectArea(1600 - 20 * 30);
    new TestEditor({ settings: { snapping: false } })
      .clicks(...square(10, 10, 40))
      .key('Enter')
      .clicks(...square(15, 15, 40))
      .key('Enter')
      .tool('polygon-erase')
      .clicks(...square(20, 20, 20))
      .key('Enter')
      .expectShapes(3)
      .expectArea(1600 + 1600 - 35 * 35 - 400);
  });

  it('is filled again by a click', () => {
    const editor = new TestEditor().clicks(...square(10, 10, 40)).key('Enter');
    editor
      .tool('polygon-erase')
      .clicks(...square(20, 20, 20))
      .key('Enter')
      .tool('fill-hole')
      .click(5, 5)
      .expectSaid('no hole')
      .click(25, 25)
      .expectArea(1600)
      .undo()
      .expectArea(1200);
  });
});
