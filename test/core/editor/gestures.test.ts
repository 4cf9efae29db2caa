import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ActionId,
  documentProblems,
  parseDocument,
  serialize,
  shortcuts,
  type ToolId,
  tools,
} from '@/lib/core/editor';
import { defaultView } from '@/lib/core/editor/view/view';
import type { Shape } from '@/lib/core/mask';
import { diagonal, TestEditor } from '../../support/test-editor';

/** Half pixels on and around an image of 120×100; often on a coarse grid, so that gestures hit what others drew. */
const coordinate = fc.oneof(
  { arbitrary: fc.integer({ min: 0, max: 5 }).map((value) => 20 * value), weight: 3 },
  { arbitrary: fc.integer({ min: -30, max: 290 }).map((value) => value / 2), weight: 1 },
);
const point = fc.tuple(coordinate, coordinate);
const shift = fc.boolean();

type Gesture = { readonly name: string; readonly play: (editor: TestEditor) => void };

const gesture = (name: string, play: Gesture['play']): Gesture => ({ name, play });

const chooseTool = fc
  .constantFrom(...tools.map(({ id }) => id))
  .map((id: ToolId) => gesture(`tool ${id}`, (editor) => editor.tool(id)));

const clicks = fc.tuple(fc.array(point, { minLength: 1, maxLength: 6 }), shift).map(([points, held]) =>
  gesture(`click ${JSON.stringify(points)} ${held}`, (editor) => {
    for (const [x, y] of points) editor.click(x, y, { shift: held });
  }),
);

const drag = fc
  .tuple(fc.array(point, { minLength: 2, maxLength: 6 }), shift)
  .map(([points, held]) =>
    gesture(`drag ${JSON.stringify(points)} ${held}`, (editor) => editor.drag(points, { shift: held })),
  );

const doubleClick = point.map(([x, y]) => gesture(`double ${x} ${y}`, (editor) => editor.doubleClick(x, y)));

const halfDrag = fc
  .tuple(point, point)
  .map(([from, to]) =>
    gesture(`half drag ${from} ${to}`, (editor) => editor.pointerDown(...from).pointerMove(...to)),
  );

const release = point.map(([x, y]) => gesture(`release ${x} ${y}`, (editor) => editor.pointerUp(x, y)));

const pinch = fc.tuple(point, point, point).map(([a, b, c]) =>
  gesture(`pinch ${a} ${b} ${c}`, (editor) => {
    const first = { pointer: 'touch', pointerId: 21 } as const;
    const second = { pointer: 'touch', pointerId: 22 } as const;
    editor
      .pointerDown(...a, first)
      .pointerDown(...b, second)
      .pointerMove(...c, second);
    editor.pointerUp(...c, second).pointerUp(...a, first);
  }),
);

const action = fc
  .constantFrom(...shortcuts.filter(({ held }) => !held).map(({ id }) => id))
  .map((id: ActionId) => gesture(`action ${id}`, (editor) => editor.action(id)));

const held = fc
  .tuple(fc.constantFrom('s', 't', ' '), fc.boolean())
  .map(([key, down]) =>
    gesture(`${down ? 'hold' : 'let go'} ${key}`, (editor) =>
      down ? editor.keyDown(key) : editor.keyUp(key),
    ),
  );

const suggestion: Shape = { kind: 'polygon', op: 'add', outer: [5, 5, 25, 5, 25, 25], holes: [] };
const suggest = fc
  .integer({ min: 0, max: 2 })
  .map((request) =>
    gesture(`suggestion ${request}`, (editor) =>
      editor.dispatch({ type: 'suggestion', request, assist: 'region', shapes: [suggestion], time: 0 }),
    ),
  );

const rule = fc
  .boolean()
  .map((subtractOthers) =>
    gesture(`subtract others ${subtractOthers}`, (editor) =>
      editor.dispatch({ type: 'settings', settings: { subtractOthers } }),
    ),
  );

/** A whole piece of work with one tool, so that a session gets somewhere. */
const work = fc
  .tuple(
    fc.constantFrom(...tools.map(({ id }) => id)),
    fc.array(point, { minLength: 2, maxLength: 7 }),
    fc.constantFrom('drag', 'click', 'draw'),
    shift,
  )
  .map(([id, points, how, isShift]) =>
    gesture(`${how} ${id} ${JSON.stringify(points)} ${isShift}`, (editor) => {
      // Where earlier gestures drew, and without keys that they left held.
      editor.dispatch({ type: 'blur' }).dispatch({ type: 'view', view: defaultView }).tool(id);
      if (how === 'drag') editor.drag(points, { shift: isShift });
      else for (const [x, y] of points) editor.click(x, y, { shift: isShift });
      if (how === 'draw') editor.key('Enter');
    }),
  );

const editSelection = fc
  .tuple(point, fc.constantFrom<ActionId>('delete', 'relabel', 'nudge-left', 'nudge-down', 'select-all'))
  .map(([[x, y], id]) =>
    gesture(`select ${x} ${y} ${id}`, (editor) => editor.tool('select').click(x, y).action(id)),
  );

const session = fc.array(
  fc.oneof(
    { arbitrary: work, weight: 16 },
    { arbitrary: editSelection, weight: 4 },
    { arbitrary: action, weight: 4 },
    chooseTool,
    clicks,
    drag,
    doubleClick,
    halfDrag,
    release,
    pinch,
    held,
    suggest,
    rule,
  ),
  { minLength: 5, maxLength: 25, size: 'max' },
);

const printable = session.map((gestures) => ({
  gestures,
  toString: () => gestures.map(({ name }) => name).join('; '),
}));

function play(gestures: readonly Gesture[]): TestEditor {
  const editor = new TestEditor()
    .tool('rectangle')
    .drag(diagonal(20, 20, 40))
    .drag(diagonal(40, 40, 60));
  for (const { play: perform } of gestures) {
    perform(editor);
    expect(documentProblems(editor.document)).toEqual([]);
  }
  return editor;
}

describe('whatever the hand does', () => {
  it('the document is valid after every gesture, and reads back as the same bytes', () => {
    fc.assert(
      fc.property(printable, ({ gestures }) => {
        const { document, bytes } = play(gestures);
        const { height, width } = document;
        const parsed = parseDocument(bytes, { height, width, labels: ['wing', 'tail'] });
        expect(parsed.ok && serialize(parsed.document)).toBe(bytes);
      }),
      { numRuns: 60 },
    );
  });

  it('undo to empty and redo to the end give the same bytes', () => {
    const empty = new TestEditor().bytes;
    fc.assert(
      fc.property(printable, ({ gestures }) => {
        // A tool brings back its own outline that was given up; with another, redo is about the document.
        const editor = play(gestures).action('cancel').tool('pan').redoAll();
        const end = editor.bytes;
        editor.undoAll();
        expect(editor.bytes).toBe(empty);
        editor.redoAll();
        expect(editor.bytes).toBe(end);
      }),
      { numRuns: 60 },
    );
  });

  it('one cancel brings every tool back to idle and changes no document', () => {
    fc.assert(
      fc.property(printable, ({ gestures }) => {
        const editor = play(gestures);
        const { bytes } = editor;
        const { tool } = editor.state;
        editor.action('cancel').expectState(`${tool}.idle`);
        expect(editor.bytes).toBe(bytes);
      }),
      { numRuns: 60 },
    );
  });
});
