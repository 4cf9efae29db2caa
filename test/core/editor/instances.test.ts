import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currentInstances, layerOf, parseDocument, serialize, toAnswer, undoDepth } from '@/lib/core/editor';
import { area, rasterizeInstances } from '@/lib/core/mask';
import { AnswerValue } from '@/lib/core/quality/answer';
import { diagonal, TestEditor } from '../../support/test-editor';

const frame = { height: 100, width: 120, labels: ['wheel', 'door'] };
const start = (more: ConstructorParameters<typeof TestEditor>[0] = {}) =>
  new TestEditor({
    labels: frame.labels,
    severalOf: ['wheel'],
    settings: { flags: ['occluded', 'truncated'], snapping: false },
    ...more,
  });

const box = (editor: TestEditor, x: number, y: number, side = 20) =>
  editor.tool('rectangle').drag(diagonal(x, y, side));

/** The areas of the instances, as the server computes them. */
const areas = (editor: TestEditor, label = 'wheel') =>
  rasterizeInstances(editor.shapes(label), frame.height, frame.width).map(area);

const twoWheels = () => box(box(start(), 10, 10).action('new-instance'), 60, 10, 30);

describe('a worker who draws two wheels', () => {
  it('gets two instances', () => {
    const editor = twoWheels();
    expect(areas(editor)).toEqual([400, 900]);
    expect(editor.shapes().map(({ instance }) => instance)).toEqual([undefined, 2]);
    expect(currentInstances(editor.state)).toEqual([1, 2]);
    editor.expectArea(1300);
  });

  it('hears which one is drawn', () => {
    const editor = box(start({ names: new Map([['wheel', 'Wheel']]) }), 10, 10);
    editor.key('N', { shift: true }).expectSaid('Wheel 2 of 2');
    box(editor, 60, 10).key('W', { shift: true }).expectSaid('Wheel 1 of 2');
    editor.key('E', { shift: true }).expectSaid('Wheel 2 of 2');
  });

  it('does not start a third one while the second is empty, and no second one of a part that is drawn once', () => {
    const editor = box(start(), 10, 10).action('new-instance').action('new-instance');
    expect(editor.state.instance).toBe(2);
    editor.label('door');
    box(editor, 40, 40).action('new-instance').expectSaid('drawn only once');
    expect(editor.state.instance).toBe(1);
  });

  it('switches to the one that is picked up', () => {
    const editor = twoWheels().tool('select');
    expect(editor.click(15, 15).state.instance).toBe(1);
    expect(editor.click(70, 20).state.instance).toBe(2);
    editor.expectSaid('2 of 2');
  });

  it('erases from the one that is drawn only, with a brush and with an outline', () => {
    const editor = box(box(start(), 10, 10).action('new-instance'), 20, 10);
    editor.tool('polygon-erase').clicks([15, 5], [45, 5], [45, 35], [15, 35]).key('Enter');
    expect(areas(editor)).toEqual([400]);
    editor.undo(1);
    expect(areas(editor)).toEqual([400, 400]);
    editor.dispatch({ type: 'instance', instance: 1 });
    editor.tool('eraser').drag([
      [25, 20],
      [28, 20],
    ]);
    const [first = 0, second] = areas(editor);
    expect(first).toBeLessThan(400);
    expect(second).toBe(400);
  });

  it('has nothing to erase in an empty one', () => {
    box(start(), 10, 10)
      .action('new-instance')
      .tool('eraser')
      .drag(diagonal(10, 10, 5))
      .expectSaid('nothing to erase')
      .expectShapes(1);
  });

  it('leaves the pixels of the other alone where the project subtracts', () => {
    const editor = start({ settings: { subtractOthers: true, snapping: false } });
    box(box(editor, 10, 10).action('new-instance'), 20, 10);
    expect(areas(editor)).toEqual([400, 200]);
    editor.expectHistory(2);
  });

  it('covers the part that it is a part of, also where the project subtracts', () => {
    const editor = start({
      settings: { subtractOthers: true, snapping: false },
      wholes: new Map([['wheel', 'door']]),
    });
    box(editor.label('door'), 10, 10, 40);
    box(editor.label('wheel'), 20, 20);
    expect(areas(editor)).toEqual([400]);
  });

  it('deletes one and keeps the other, and can undo that', () => {
    const editor = twoWheels();
    const before = editor.bytes;
    editor.dispatch({ type: 'instance', instance: 1 }).key('Delete', { shift: true });
    expect(areas(editor)).toEqual([900]);
    expect(editor.state.instance).toBe(2);
    editor.expectSaid('wheel 1 deleted').undo(1);
    expect(editor.bytes).toBe(before);
    expect(editor.state.instance).toBe(1);
  });

  it('makes a wheel of its own of a shape that was drawn in the wrong one, and the other way round', () => {
    const editor = box(box(start(), 10, 10), 60, 10, 30)
      .tool('select')
      .click(70, 20);
    editor.action('separate-instance');
    expect(areas(editor)).toEqual([400, 900]);
    expect(editor.state.instance).toBe(2);
    editor.click(70, 20).click(15, 15, { shift: true }).action('relabel');
    expect(areas(editor)).toEqual([1300]);
  });

  it('cannot join shapes of both', () => {
    const editor = box(box(start(), 10, 10).action('new-instance'), 25, 10).tool('join');
    editor.click(12, 12).click(40, 15).expectSaid('different objects').expectShapes(2);
  });

  it('slices only the one that is drawn', () => {
    const editor = box(box(start(), 10, 10).action('new-instance'), 40, 10);
    editor.tool('slice').drag([
      [5, 20],
      [90, 20],
    ]);
    expect(editor.shapes().map(({ instance }) => instance)).toEqual([undefined, 2, 2]);
  });

  it('finds the drawn wheel again after another part was drawn', () => {
    const editor = start({ targets: frame.labels });
    box(box(editor, 10, 10).action('new-instance'), 60, 10).key('2');
    expect(editor.state.instance).toBe(1);
    expect(editor.key('1').state.instance).toBe(2);
  });

  it('starts again with the first one after saying that there is nothing', () => {
    const editor = twoWheels().action('nothing');
    expect(toAnswer(editor.document, 'wheel')).toEqual({ kind: 'nothing' });
    expect(editor.state.instance).toBe(1);
    expect(areas(editor.undo(1))).toEqual([400, 900]);
  });
});

describe('flags', () => {
  it('go into the answer with the mask, and come and go with undo', () => {
    const editor = box(start(), 10, 10).key('B', { shift: true }).expectSaid('Partly hidden');
    const answer = toAnswer(editor.document, 'wheel');
    expect(answer).toMatchObject({ kind: 'mask', flags: ['occluded'] });
    expect(AnswerValue.parse(answer)).toEqual(answer);
    expect(toAnswer(editor.undo(1).document, 'wheel')).not.toHaveProperty('flags');
    expect(layerOf(editor.redo(1).action('flag-occluded').document, 'wheel')?.flags).toBeUndefined();
  });

  it('are not taken where the schema does not ask for them, or nothing is there', () => {
    const editor = start({ settings: {} }).action('flag-truncated').expectSaid('does not ask');
    editor.expectHistory(0);
    start().action('nothing').action('flag-occluded').expectSaid('nothing to mark').expectHistory(1);
  });
});

const step = fc.oneof(
  fc.record({
    kind: fc.constant('box' as const),
    x: fc.integer({ min: 0, max: 90 }),
    y: fc.integer({ min: 0, max: 70 }),
  }),
  fc.record({
    kind: fc.constant('erase' as const),
    x: fc.integer({ min: 0, max: 110 }),
    y: fc.integer({ min: 0, max: 90 }),
  }),
  fc.record({
    kind: fc.constantFrom(
      'new-instance',
      'next-instance',
      'delete-instance',
      'select-next',
      'separate-instance',
      'relabel',
      'flag-occluded',
      'nothing',
      'undo',
      'redo',
    ),
  }),
);

describe('a drawing with instances', () => {
  it('is stored and read back as the same bytes, and undone and redone step by step, whatever was done', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.boolean(), (steps, subtractOthers) => {
        const editor = start({ settings: { flags: ['occluded'], snapping: false, subtractOthers } });
        const empty = editor.bytes;
        for (const each of steps) {
          if (!('x' in each)) editor.action(each.kind);
          else if (each.kind === 'box') box(editor, each.x, each.y);
          else editor.tool('eraser').drag(diagonal(each.x, each.y, 6));
        }
        const parsed = parseDocument(editor.bytes, frame);
        expect(parsed.ok && serialize(parsed.document)).toBe(editor.bytes);
        const sum = rasterizeInstances(editor.shapes('wheel'), frame.height, frame.width);
        if (subtractOthers) expect(sum.reduce((all, mask) => all + area(mask), 0)).toBe(area(editor.mask()));
        editor.redoAll();
        const last = editor.bytes;
        const depth = undoDepth(editor.state.history);
        expect(editor.undo(depth).bytes).toBe(empty);
        expect(editor.redo(depth).bytes).toBe(last);
      }),
      { numRuns: 60 },
    );
  });
});
