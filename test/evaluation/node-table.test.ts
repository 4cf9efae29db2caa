import { describe, expect, it } from 'vitest';
import { imagesForNodes, type NodeSample, nodeTable } from '@/lib/evaluation/metrics/node-table';
import { stream } from '@/lib/evaluation/random/stream';
import vectors from '../fixtures/evaluation-vectors.json' with { type: 'json' };

const ids = ['a', 'b', 'c'] as const;
type Id = (typeof ids)[number];

describe('nodes that stand for attributes', () => {
  it('are those of the vector', () => {
    const { maps, k } = vectors.node;
    const of = (part: 'train' | 'test'): NodeSample[] =>
      ids.map((id) => ({
        id,
        part,
        className: 'cat',
        attributes: ['ears', 'tail'],
        activations: maps[id].map((map) => map.flat().reduce((sum, value) => sum + value, 0) / 4),
      }));
    const sources = {
      map: (id: string, node: number) => maps[id as Id][node]?.flat() ?? [],
      mask: (id: string, attribute: string) => vectors.node[attribute as 'ears' | 'tail'][id as Id].flat(),
    };
    const rows = nodeTable([...of('train'), ...of('test')], ['ears', 'tail'], 'cat', sources, { top: k });
    expect(rows).toMatchObject([
      { attribute: 'ears', node: 0, chosenBy: 0.75, chosenOn: 2, ious: [1, 0.5, 0], iou: 0.5, n: 3 },
      { attribute: 'tail', node: 1, chosenBy: 1, ious: [1, 1, 1], iou: 1, n: 3 },
    ]);
    expect([...imagesForNodes(of('train'), 'cat', { top: k })].sort()).toEqual(['a', 'b', 'c']);
    expect([...imagesForNodes(of('train'), 'dog')]).toEqual([]);
  });

  /** Sixty nodes; one follows the ears wherever they are, the others see anything. */
  const side = 12;
  const chance = stream('tessera|test|nodes');
  const spot = (x: number, y: number) =>
    Float32Array.from({ length: side * side }, (_, i) =>
      Math.abs((i % side) - x) <= 2 && Math.abs(Math.floor(i / side) - y) <= 2 ? 1 : 0,
    );
  const images = Array.from({ length: 60 }, (_, i) => {
    const place = [2 + chance.below(8), 2 + chance.below(8)] as const;
    const ears = spot(...place);
    const maps = Array.from({ length: 60 }, (_, node) =>
      node === 7 ? ears.map((value) => value * (1 + i / 60)) : spot(chance.below(12), chance.below(12)),
    );
    return { id: `i${String(i).padStart(2, '0')}`, ears, maps };
  });
  const samples = images.map(
    ({ id, maps }, i): NodeSample => ({
      id,
      part: i % 2 ? 'test' : 'train',
      className: 'cat',
      attributes: i % 10 === 3 ? [] : ['ears'],
      activations: maps.map((map) => map.reduce((sum, value) => sum + value, 0)),
    }),
  );
  const find = (id: string) => images.find((image) => image.id === id);
  const sources = (isTrue: boolean) => ({
    map: (id: string, node: number) => find(id)?.maps[node] ?? [],
    mask: (id: string) => (isTrue ? find(id)?.ears : spot(4, 4)) ?? null,
  });

  it('beat chance where they are real, and can be repeated', () => {
    const [row] = nodeTable(samples, ['ears'], 'cat', sources(true));
    expect(row).toMatchObject({ node: 7, iou: 1, n: 24 });
    expect(row?.chance?.p).toBeLessThan(0.01);
    expect(row?.chance?.high).toBeLessThan(0.6);
    expect(nodeTable(samples, ['ears'], 'cat', sources(true))).toEqual([row]);
    const [other] = nodeTable(samples, ['ears'], 'cat', sources(true), { seed: 1 });
    expect(other?.chance?.mean).not.toBe(row?.chance?.mean);
  });

  it('are no better than chance where masks lie anyhow, though the best of sixty was chosen', () => {
    const [row] = nodeTable(samples, ['ears'], 'cat', sources(false));
    expect(row?.chosenBy).toBeGreaterThan(row?.iou as number);
    // One mask for all: shuffling it changes nothing.
    expect(row?.chance?.p).toBe(1);
  });

  it('are not named where too few images have the attribute, or nothing answers', () => {
    const none = { ...sources(true), mask: () => null };
    expect(nodeTable(samples, ['ears'], 'cat', none)).toMatchObject([
      { node: null, iou: null, n: 0, chance: null },
    ]);
    expect(nodeTable(samples, ['ears'], 'dog', sources(true))).toMatchObject([{ node: null, chosenOn: 0 }]);
    const dead = samples.map((each) => ({ ...each, activations: new Float32Array(60) }));
    expect(nodeTable(dead, ['ears'], null, sources(true))).toMatchObject([{ node: null, auc: null }]);
  });
});
