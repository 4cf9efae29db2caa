import { describe, expect, it } from 'vitest';
import type { WorkItem } from '@/app/annotate/_work/api';
import {
  answeredDocument,
  canonicalDrawing,
  frameOf,
  storedText,
  withNeighbours,
} from '@/app/annotate/_work/drawing-frame';
import {
  Editor,
  emptyDocument,
  type LabelLayer,
  layerMask,
  layerOf,
  parseDocument,
  serialize,
} from '@/lib/core/editor';
import { encodeCounts, intersection, isEmpty, rasterizeBox, rasterizeStroke } from '@/lib/core/mask';

const item: WorkItem = {
  leaseId: '00000000-0000-7000-8000-000000000000',
  position: 0,
  state: 'open',
  schemaVersionId: '00000000-0000-7000-8000-000000000001',
  className: 'car',
  image: { width: 40, height: 30, number: 1, working: { url: '/image', width: 40, height: 30 } },
  target: { id: 'wheel', name: 'Wheel', definition: null, colour: '#000000', isNumbered: false, flags: [] },
  object: null,
  neighbours: [{ target: 'door', counts: encodeCounts(rasterizeBox([10, 5, 12, 8], 30, 40)) }],
  hasOutline: false,
  forPrograms: '',
  draft: null,
  answer: null,
};
const frame = frameOf(item);

describe('the frame of a drawing', () => {
  it('has the size of the upright image and the one label that is asked for', () => {
    expect(frame).toEqual({ width: 40, height: 30, labels: ['wheel'] });
  });

  it('shows the neighbours as further labels with their outlines', () => {
    const document = withNeighbours(emptyDocument(30, 40, ['wheel']), item, false);
    expect(document.layers.map(({ label }) => label)).toEqual(['wheel', 'door']);
    expect(layerOf(document, 'door')?.shapes).toHaveLength(1);
    expect(document.nextId).toBe(2);
  });

  it('has the neighbours to the pixel where what is drawn gives way to them', () => {
    const disc = rasterizeStroke([20, 15], 9.3, 30, 40);
    const round = { ...item, neighbours: [{ target: 'door', counts: encodeCounts(disc) }] };
    const document = withNeighbours(emptyDocument(30, 40, ['wheel']), round, true);
    expect(layerMask(document, layerOf(document, 'door') as LabelLayer)).toEqual(disc);
    const editor = new Editor({ document, tool: 'rectangle', settings: { subtractOthers: true } });
    for (const [type, x, y] of [
      ['pointer-down', 2, 2],
      ['pointer-move', 20, 15],
      ['pointer-up', 20, 15],
    ] as const)
      editor.dispatch({ type, pointerId: 1, pointer: 'mouse', x, y, button: 0, shift: false, time: 0 });
    const wheel = layerMask(editor.state.document, layerOf(editor.state.document, 'wheel') as LabelLayer);
    expect(isEmpty(wheel)).toBe(false);
    expect(isEmpty(intersection(wheel, disc))).toBe(true);
  });

  it('stores the drawing without the neighbours', () => {
    const own = emptyDocument(30, 40, ['wheel']);
    expect(storedText(withNeighbours(own, item, false), frame)).toBe(serialize(own));
  });

  it('gives one text for one drawing, whatever the order of its keys', () => {
    const shape = { kind: 'stroke', op: 'add', points: [1, 2, 3, 4], radius: 2 };
    const shuffled = { radius: 2, points: [1, 2, 3, 4], op: 'add', kind: 'stroke' };
    const stored = (one: object) => ({
      layers: [{ shapes: [{ shape: one }], nothing: false, label: 'wheel' }],
      aside: [],
      width: 40,
      height: 30,
      version: 1,
    });
    const canonical = canonicalDrawing(frame);
    expect(canonical(stored(shuffled))).toBe(canonical(stored(shape)));
    expect(parseDocument(canonical(stored(shape)), frame).ok).toBe(true);
  });

  it('leaves what it cannot read as it is', () => {
    expect(canonicalDrawing(frame)({ version: 99 })).toBe('{"version":99}');
    expect(canonicalDrawing(frame)('nonsense')).toBe('nonsense');
  });

  it('shows a submitted answer again', () => {
    const answered = { ...item, answer: { kind: 'nothing' } };
    const document = answeredDocument(answered, frame);
    expect(document && layerOf(document, 'wheel')?.nothing).toBe(true);
    expect(answeredDocument(item, frame)).toBeUndefined();
  });
});
