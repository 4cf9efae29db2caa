import { describe, expect, it } from 'vitest';
import { type AssistRequest, editorMessage, toAnswer } from '@/lib/core/editor';
import { TestEditor } from '../../support/test-editor';

const shape = (x: number) =>
  ({ kind: 'polygon', op: 'add', outer: [x, 10, x + 30, 10, x + 30, 40, x, 40], holes: [] }) as const;

const asked = (editor: TestEditor): AssistRequest[] =>
  editor.effects.flatMap((effect) => (effect.kind === 'ask' ? [effect.request] : []));
const lastPrompt = (editor: TestEditor) => {
  const request = asked(editor).at(-1);
  return request?.kind === 'object' ? request.prompt : undefined;
};

const suggest = (editor: TestEditor, x: number, time: number, request = asked(editor).length) =>
  editor.dispatch({ type: 'suggestion', request, assist: 'point', model: 'a@1', shapes: [shape(x)], time });

describe('the smart object tool', () => {
  it('asks with a click, shows, and accepts as one entry that tells where it came from', () => {
    const editor = new TestEditor().tool('smart-object').click(25, 25).expectState('smart-object.waiting');
    expect(lastPrompt(editor)).toEqual({ kind: 'point', points: [{ x: 25, y: 25, include: true }] });
    suggest(editor, 10, 2000).expectState('smart-object.reviewing').expectShapes(0);
    editor.dispatch({ type: 'action', action: 'confirm', time: 2700 });
    editor
      .expectState('smart-object.idle')
      .expectShapes(1)
      .expectHistory(1)
      .expectMask([shape(10)]);
    expect(editor.document.layers[0]?.shapes[0]?.origin).toEqual({
      kind: 'point',
      model: 'a@1',
      clicks: 1,
      shownMs: 1476,
      latencyMs: 700,
      edited: false,
    });
    editor.undo().expectShapes(0).redo().expectShapes(1);
  });

  it.each([
    ['Alt', { alt: true }],
    ['Shift', { shift: true }],
    ['the right button', { button: 2 }],
  ])('takes away with %s', (_, how) => {
    const editor = new TestEditor().tool('smart-object').click(25, 25);
    suggest(editor, 10, 1000).click(60, 60, how);
    expect(lastPrompt(editor)).toEqual({
      kind: 'point',
      points: [
        { x: 25, y: 25, include: true },
        { x: 60, y: 60, include: false },
      ],
    });
  });

  it('asks with a box, which further clicks correct and a new box replaces', () => {
    const editor = new TestEditor().tool('smart-object').drag([
      [50, 60],
      [20, 30],
      [10, 20],
    ]);
    expect(lastPrompt(editor)).toEqual({ kind: 'box', box: [10, 20, 40, 40], points: [] });
    suggest(editor, 10, 1000).click(30, 30);
    expect(lastPrompt(editor)).toMatchObject({ box: [10, 20, 40, 40], points: [{ x: 30, y: 30 }] });
    suggest(editor, 10, 2000).drag([
      [0, 0],
      [9, 9],
    ]);
    expect(lastPrompt(editor)).toEqual({ kind: 'box', box: [0, 0, 9, 9], points: [] });
  });

  it('finds the main object with a key from any tool', () => {
    const editor = new TestEditor().key('D', { shift: true }).expectState('smart-object.waiting');
    expect(lastPrompt(editor)).toEqual({ kind: 'main-object' });
    suggest(editor, 10, 1000).key('Enter').expectShapes(1);
    expect(editor.document.layers[0]?.shapes[0]?.origin).toMatchObject({ kind: 'main-object', clicks: 1 });
  });

  it('shows the outline of the project’s model with a key from any tool, and a click asks for something else', () => {
    const editor = new TestEditor().key('O', { shift: true }).expectState('smart-object.waiting');
    expect(lastPrompt(editor)).toEqual({ kind: 'model-outline' });
    suggest(editor, 10, 1000).expectShapes(0).key('Enter').expectShapes(1);
    expect(editor.document.layers[0]?.shapes[0]?.origin).toMatchObject({ kind: 'model-outline', clicks: 1 });
    editor.key('O', { shift: true });
    suggest(editor, 10, 3000).click(25, 25);
    expect(lastPrompt(editor)).toMatchObject({ kind: 'point' });
  });

  it('goes back to the suggestion before without asking again, and then to nothing', () => {
    const editor = new TestEditor().tool('smart-object').click(25, 25);
    suggest(editor, 10, 1000).click(60, 25);
    suggest(editor, 50, 2000).key('Backspace').expectState('smart-object.reviewing');
    expect(asked(editor)).toHaveLength(2);
    editor.key('Enter').expectMask([shape(10)]);
    editor.undo();
    editor.click(25, 25);
    suggest(editor, 10, 5000, 1).key('Backspace').expectState('smart-object.idle');
  });

  it('ignores the late answer to an earlier question', () => {
    const editor = new TestEditor().tool('smart-object').clicks([25, 25], [60, 25]);
    suggest(editor, 10, 1000, 1).expectState('smart-object.waiting');
    suggest(editor, 50, 1100, 2).expectState('smart-object.reviewing');
    editor.key('Enter').expectMask([shape(50)]);
  });

  it('says what the server said when there is no suggestion, and keeps the one before', () => {
    const editor = new TestEditor().tool('smart-object').click(25, 25);
    const fails = (request: number) =>
      editor.dispatch({
        type: 'suggestion',
        request,
        assist: 'point',
        shapes: [],
        problem: editorMessage('smartFailed'),
        time: 9,
      });
    fails(1).expectState('smart-object.idle').expectSaid('Draw it by hand.');
    editor.click(25, 25);
    suggest(editor, 10, 1000, 1).click(70, 70);
    fails(2).expectState('smart-object.reviewing');
  });

  it('does not begin with what does not belong, nor with an empty box', () => {
    const editor = new TestEditor().tool('smart-object').click(25, 25, { alt: true });
    editor.expectState('smart-object.idle').expectSaid(/First click the object/);
    editor.drag([
      [10, 10],
      [40, 10],
    ]);
    editor.expectState('smart-object.idle');
    expect(asked(editor)).toEqual([]);
  });

  it('leaves the right button to nobody in other tools', () => {
    new TestEditor().tool('polygon').click(25, 25, { button: 2 }).expectState('polygon.idle');
  });

  it('can be cancelled from every state', () => {
    const editor = new TestEditor().tool('smart-object').pointerDown(20, 20);
    editor.expectState('smart-object.pointing').key('Escape').expectState('smart-object.idle');
    editor.pointerUp(20, 20).pointerDown(20, 20).pointerMove(40, 40).expectState('smart-object.boxing');
    editor.key('Escape').expectState('smart-object.idle');
    editor.pointerUp(40, 40).click(20, 20).key('Escape').expectState('smart-object.idle');
    suggest(editor, 10, 1000).expectState('smart-object.idle').expectShapes(0);
  });
});

describe('an answer', () => {
  const accepted = () => {
    const editor = new TestEditor().tool('smart-object').click(25, 25);
    suggest(editor, 10, 2000);
    return editor.dispatch({ type: 'action', action: 'confirm', time: 2300 });
  };
  const assistsOf = (editor: TestEditor) => {
    const answer = toAnswer(editor.document, 'wing');
    return answer?.kind === 'mask' ? answer.assists : undefined;
  };

  it('tells of the suggestions that are in it', () => {
    expect(assistsOf(accepted())).toMatchObject([
      { kind: 'point', model: 'a@1', latencyMs: 300, edited: false },
    ]);
  });

  it('tells of none when all of it was drawn by hand', () => {
    const editor = new TestEditor().clicks([10, 10], [40, 10], [40, 40]).key('Enter');
    expect(toAnswer(editor.document, 'wing')).toEqual({ kind: 'mask', shapes: [expect.anything()] });
  });

  it('tells of one suggestion with several shapes once', () => {
    const editor = new TestEditor().tool('smart-object').click(25, 25);
    const shapes = [shape(10), shape(60)];
    editor.dispatch({ type: 'suggestion', request: 1, assist: 'point', model: 'a@1', shapes, time: 2000 });
    expect(assistsOf(editor.key('Enter'))).toHaveLength(1);
  });

  it('tells that a suggestion was edited when its shape was moved, or painted over', () => {
    const moved = accepted().tool('select').click(20, 20).key('ArrowRight', { alt: true });
    expect(assistsOf(moved)).toMatchObject([{ edited: true }]);
    const erased = accepted()
      .tool('eraser')
      .drag([
        [12, 12],
        [20, 12],
      ]);
    expect(assistsOf(erased)).toMatchObject([{ edited: true }]);
    const elsewhere = accepted()
      .tool('brush')
      .drag([
        [90, 80],
        [95, 80],
      ]);
    expect(assistsOf(elsewhere)).toMatchObject([{ edited: false }]);
  });
});
