import { describe, expect, it } from 'vitest';
import { type NodeOverlaps, type NodeSample, nodeIou, nodeTable } from '@/lib/core/robustness/metrics/nodes';
import { stream } from '@/lib/core/robustness/random';
import vectors from '../../fixtures/evaluation-vectors.json' with { type: 'json' };

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
    const overlaps: NodeOverlaps = {
      own: (id, node, attribute) =>
        nodeIou(
          maps[id as Id][node]?.flat() ?? [],
          vectors.node[attribute as 'ears' | 'tail'][id as Id].flat(),
        ),
      others: () => null,
    };
    const rows = nodeTable([...of('train'), ...of('test')], ['ears', 'tail'], 'cat', overlaps, { top: k });
    expect(rows).toMatchObject([
      { attribute: 'ears', node: 0, chosenBy: 0.75, chosenOn: 2 },
      { attribute: 'tail', node: 1, chosenBy: 1 },
    ]);
    expect(rows.map(({ tested }) => tested.map(({ own }) => own))).toEqual([
      [1, 0.5, 0],
      [1, 1, 1],
    ]);
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
  /** The next image's ears are those of another. */
  const next = (id: string) => images[(images.findIndex((image) => image.id === id) + 1) % images.length];
  const overlaps = (isTrue: boolean): NodeOverlaps => {
    const on = (ears: Float32Array | undefined, id: string, node: number) =>
      nodeIou(find(id)?.maps[node] ?? [], isTrue ? (ears ?? []) : spot(4, 4));
    return {
      own: (id, node) =>
        samples.find((each) => each.id === id)?.attributes?.length ? on(find(id)?.ears, id, node) : null,
      others: (id, node) => on(next(id)?.ears, id, node),
    };
  };
  const meanOf = (values: readonly (number | null)[]) =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;

  it('follow their attribute where they are real, far better than masks of other images', () => {
    const [row] = nodeTable(samples, ['ears'], 'cat', overlaps(true));
    expect(row?.node).toBe(7);
    expect(row?.tested).toHaveLength(24);
    expect(row?.tested.every(({ own }) => own === 1)).toBe(true);
    expect(meanOf(row?.tested.map(({ others }) => others) ?? [])).toBeLessThan(0.6);
  });

  it('are no better than masks of others where masks lie anyhow, though the best of sixty was chosen', () => {
    const [row] = nodeTable(samples, ['ears'], 'cat', overlaps(false));
    const own = meanOf(row?.tested.map((each) => each.own) ?? []);
    expect(row?.chosenBy).toBeGreaterThan(own);
    // One mask for all: whose it is changes nothing.
    expect(meanOf(row?.tested.map(({ others }) => others) ?? [])).toBe(own);
  });

  it('are not named where too few images have the attribute, or nothing answers', () => {
    const none: NodeOverlaps = { own: () => null, others: () => null };
    expect(nodeTable(samples, ['ears'], 'cat', none)).toMatchObject([{ node: null, tested: [], auc: null }]);
    expect(nodeTable(samples, ['ears'], 'dog', overlaps(true))).toMatchObject([{ node: null, chosenOn: 0 }]);
    const dead = samples.map((each) => ({ ...each, activations: new Float32Array(60) }));
    expect(nodeTable(dead, ['ears'], null, overlaps(true))).toMatchObject([{ node: null, auc: null }]);
  });
});
