import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AnnotationDocument,
  documentVertices,
  emptyDocument,
  fromAnswer,
  MAX_HOLES,
  MAX_VERTICES,
  parseDocument,
  serialize,
  toAnswer,
  toJson,
} from '@/lib/core/editor';
import { applyEdits } from '@/lib/core/editor/document/edits';
import { PointList } from '@/lib/core/editor/document/point-list';
import type { PolygonShape, Shape } from '@/lib/core/mask';
import { AnswerValue } from '@/lib/core/quality/answer';
import { square, TestEditor } from '../../support/test-editor';

const frame = { height: 100, width: 120, labels: ['wing', 'tail'] };
const polygon: PolygonShape = { kind: 'polygon', op: 'add', outer: [10, 10, 40.25, 10, 40, 40], holes: [] };
const withWing = (shapes: readonly Shape[] = [polygon]): AnnotationDocument =>
  applyEdits(emptyDocument(100, 120, frame.labels), [{ kind: 'insert', label: 'wing', shapes }]);

describe('the document', () => {
  it('shares what an edit does not touch', () => {
    const before = withWing();
    const after = applyEdits(before, [{ kind: 'insert', label: 'tail', shapes: [polygon] }]);
    expect(after.layers[0]).toBe(before.layers[0]);
    expect(applyEdits(after, [{ kind: 'replace', id: 99, shapes: [] }])).toBe(after);
    expect(applyEdits(after, [{ kind: 'insert', label: 'beak', shapes: [polygon] }])).toBe(after);
  });

  it('keeps points in typed arrays and gives plain arrays to JSON', () => {
    const document = withWing();
    expect(document.layers[0]?.shapes[0]?.shape).toMatchObject({ outer: Float64Array.from(polygon.outer) });
    expect(toJson(document).layers[0]?.shapes[0]?.shape).toEqual(polygon);
  });

  it('takes no more vertices than its limit, says so, and keeps the outline', () => {
    const outer = Array.from({ length: 2 * (MAX_VERTICES - 2) }, (_, i) => {
      const angle = (Math.PI * (i - (i % 2))) / MAX_VERTICES;
      return 50 + 40 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
    });
    const document = withWing([{ ...polygon, outer }]);
    const editor = new TestEditor({ document, settings: { snapping: false } });
    editor
      .clicks(...square(10, 10, 30))
      .key('Enter')
      .expectSaid('at most 100,000 points')
      .expectState('polygon.drawing')
      .expectHistory(0);
    expect(documentVertices(editor.document)).toBe(MAX_VERTICES - 2);
  });
});

describe('a stored document', () => {
  it('reads back as the same bytes', () => {
    const text = serialize(withWing());
    const parsed = parseDocument(text, frame);
    expect(parsed.ok && serialize(parsed.document)).toBe(text);
  });

  it('keeps the shapes of a label that the schema lost, reports them, and brings them back', () => {
    const parsed = parseDocument(serialize(withWing()), { ...frame, labels: ['tail', 'beak'] });
    if (!parsed.ok) throw new Error('not read');
    expect(parsed.setAside).toEqual([{ label: 'wing', shapes: 1 }]);
    expect(parsed.document.layers.map(({ label }) => label)).toEqual(['tail', 'beak']);
    const again = parseDocument(serialize(parsed.document), frame);
    if (!again.ok) throw new Error('not read');
    expect(again.broughtBack).toEqual(['wing']);
    expect(toAnswer(again.document, 'wing')).toEqual({ kind: 'mask', shapes: [polygon] });
  });

  it('says what is wrong instead of throwing', () => {
    const problem = (stored: unknown, other = frame) => {
      const parsed = parseDocument(stored, other);
      return parsed.ok ? '' : parsed.problems.join();
    };
    expect(problem('{')).toMatch('not a drawing');
    expect(problem({ version: 3 })).toMatch('newer release');
    expect(problem({ version: 1 })).toMatch('layers');
    expect(problem(serialize(withWing()), { ...frame, width: 99 })).toMatch('99×100');
    const alien = withWing([{ kind: 'bitmap', op: 'add', size: [5, 5], counts: 'i0' }]);
    expect(problem(serialize(alien))).toMatch('made for an image of 5×5');
    const outer = new Array(2 * MAX_VERTICES + 2).fill(1);
    expect(problem(serialize(withWing([{ ...polygon, outer }])))).toBe(
      'A shape has more than 100,000 vertices.',
    );
    const holes = new Array(MAX_HOLES + 1).fill(polygon.outer);
    expect(problem(serialize(withWing([{ ...polygon, holes }])))).toBe('A shape has more than 1,000 holes.');
  });

  it('reads a drawing of the first release, whose suggestions told less of themselves', () => {
    const origin = { assist: 'region-growing', latencyMs: 412.4 };
    const layer = { label: 'wing', nothing: false, shapes: [{ shape: polygon, origin }, { shape: polygon }] };
    const parsed = parseDocument({ version: 1, height: 100, width: 120, layers: [layer], aside: [] }, frame);
    if (!parsed.ok) throw new Error(parsed.problems.join());
    const use = { kind: 'region', model: null, clicks: 1, shownMs: 0, latencyMs: 412, edited: false };
    expect(parsed.document.layers[0]?.shapes.map((drawn) => drawn.origin)).toEqual([use, undefined]);
  });

  it('reads anything without throwing', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.anything()), (stored) => {
        expect(parseDocument(stored, frame).ok).toBe(false);
      }),
      { numRuns: 100 },
    );
  });
});

describe('an answer', () => {
  it('is asked for until something is drawn or "nothing" is said', () => {
    const editor = new TestEditor();
    expect(toAnswer(editor.document, 'wing')).toBeUndefined();
    editor.key('n');
    expect(toAnswer(editor.document, 'wing')).toEqual({ kind: 'nothing' });
    editor.clicks(...square(10, 10, 20)).key('Enter');
    const answer = toAnswer(editor.document, 'wing');
    expect(AnswerValue.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ kind: 'mask' });
  });

  it('opens as a document for review', () => {
    const document = fromAnswer({ kind: 'mask', shapes: [polygon] }, 'tail', frame);
    expect(toAnswer(document, 'tail')).toEqual({ kind: 'mask', shapes: [polygon] });
    expect(toAnswer(fromAnswer({ kind: 'nothing' }, 'tail', frame), 'tail')).toEqual({ kind: 'nothing' });
  });
});

describe('a list of points', () => {
  it('grows without disturbing the lists that it grew from', () => {
    const one = PointList.empty.append(1, 2);
    const two = one.append(3, 4);
    const other = one.append(5, 6);
    expect(Array.from(one.flat())).toEqual([1, 2]);
    expect(Array.from(two.flat())).toEqual([1, 2, 3, 4]);
    expect(Array.from(other.flat())).toEqual([1, 2, 5, 6]);
    const three = two.take(1).appendAll([7, 8, 9, 10]);
    expect(Array.from(two.flat())).toEqual([1, 2, 3, 4]);
    expect(Array.from(three.flat(1))).toEqual([7, 8, 9, 10]);
    expect(three.at(-1)).toEqual([9, 10]);
  });
});
