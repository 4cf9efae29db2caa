import { expect, it } from 'vitest';
import type { WorkBatch, WorkItem } from '@/app/annotate/_work/api';
import { hiddenTools, imagesOf, nextOpen } from '@/app/annotate/_work/work-image';
import { encodeWork, openBatch } from '@/lib/core/editor';

const item = (leaseId: string, number: number): WorkItem => ({
  leaseId,
  position: 0,
  state: 'open',
  schemaVersionId: '',
  className: null,
  image: { width: 40, height: 30, number, working: { url: `/${leaseId}`, width: 40, height: 30 } },
  target: { id: leaseId, name: leaseId, definition: null, colour: '#000000', isNumbered: false, flags: [] },
  object: null,
  neighbours: [],
  hasOutline: false,
  forPrograms: '',
  draft: null,
  answer: null,
});

const items = [item('a1', 1), item('a2', 1), item('a3', 1), item('b1', 2), item('c1', 3)];
const batch = (kind: WorkBatch['stage']['kind']) => ({ stage: { kind, name: '' }, items });

/** The state of a batch in which some leases are done. */
const workWith = (...done: string[]) =>
  openBatch(
    items.map(({ leaseId }) => ({
      lease: leaseId,
      state: 'open' as const,
      revision: 1,
      text: done.includes(leaseId) ? encodeWork({ document: '{}', isDone: true }) : undefined,
    })),
    new Map(),
    'none',
    0,
  ).state;

const next = (from: string, ...done: string[]) => {
  const images = imagesOf(batch('part-mask'));
  return nextOpen(images, workWith(...done), items.find(({ leaseId }) => leaseId === from) as WorkItem)
    ?.leaseId;
};

it('puts the drawings of one image together, and leaves forms by themselves', () => {
  const shape = (kind: WorkBatch['stage']['kind']) =>
    imagesOf(batch(kind)).map((image) => [image.first, image.items.length]);
  expect(shape('part-mask')).toEqual([
    [0, 3],
    [3, 1],
    [4, 1],
  ]);
  expect(shape('attributes')).toHaveLength(5);
});

it('finishes an image before it goes on to the next one, and comes back to what was skipped', () => {
  expect(next('a1', 'a1')).toBe('a2');
  expect(next('a3', 'a2', 'a3')).toBe('a1');
  expect(next('a2', 'a1', 'a2', 'a3')).toBe('b1');
  expect(next('c1', 'c1')).toBe('a1');
  expect(next('b1', 'a1', 'a2', 'a3', 'b1', 'c1')).toBeUndefined();
});

it('offered a tool that asked the worker to run a shell command', () => {
  expect([...hiddenTools(false, items)]).toEqual(['smart-object']);
  expect([...hiddenTools(true, items)]).toEqual([]);
  // The outline of a model is offered without an installed model.
  expect([...hiddenTools(false, [...items, { hasOutline: true }])]).toEqual([]);
});
