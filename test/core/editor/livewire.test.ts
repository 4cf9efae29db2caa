import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edgeCosts, Livewire, type Luminance } from '@/lib/core/editor';
import { BucketQueue } from '@/lib/core/editor/livewire/livewire';
import { simplifyPath } from '@/lib/core/editor/livewire/simplify-path';
import { area, intersectionArea, iou, rasterizePolygons } from '@/lib/core/mask';
import { TestEditor } from '../../support/test-editor';

/** A bright disc on a dark ground, with a gentle slope of light over both. */
function disc(size: number, radius: number): Luminance {
  const data = new Uint8Array(size * size);
  for (let y = 0; y < size; y++)
    for (let x = 0; x < size; x++) {
      const inside = Math.hypot(x + 0.5 - size / 2, y + 0.5 - size / 2) < radius;
      data[y * size + x] = (inside ? 180 : 60) + Math.round((20 * x) / size);
    }
  return { data, width: size, height: size };
}

const circle = (size: number, radius: number) =>
  Array.from({ length: 720 }, (_, i) => {
    const angle = (Math.PI * (i - (i % 2))) / 360;
    return size / 2 + radius * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle));
  });

describe('the livewire', () => {
  it('runs along an edge instead of across', () => {
    const wire = new Livewire(edgeCosts(disc(100, 30)), [80, 50]);
    const path = wire.pathTo([50, 80]);
    for (let i = 0; i + 2 < path.length; i += 2)
      expect(Math.hypot((path[i] as number) - 50, (path[i + 1] as number) - 50)).toBeCloseTo(30, -0.5);
    expect(Array.from(path.slice(-2))).toEqual([50, 80]);
    expect(path.length / 2).toBeLessThan(20);
  });

  it('answers a second question from the same seed as a new wire would', () => {
    const edges = edgeCosts(disc(80, 25));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(79), fc.nat(79)), { minLength: 1, maxLength: 5 }), (points) => {
        const wire = new Livewire(edges, [40, 15]);
        for (const point of points) {
          const path = wire.pathTo(point);
          expect(Array.from(path.slice(-2))).toEqual(point);
          expect(path).toEqual(new Livewire(edges, [40, 15]).pathTo(point));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('stays usable outside of the image, at the seed itself, and on a flat picture', () => {
    const flat = edgeCosts({ data: new Uint8Array(400), width: 20, height: 20 });
    const wire = new Livewire(flat, [-5, 300]);
    expect(Array.from(wire.pathTo([-5, 300]))).toEqual([-5, 300]);
    expect(Array.from(wire.pathTo([90, -4]).slice(-2))).toEqual([90, -4]);
  });

  it('works on a scaled-down picture in image pixels', () => {
    const wire = new Livewire(edgeCosts(disc(100, 30), 4), [320, 200]);
    const path = wire.pathTo([200, 320]);
    for (let i = 0; i + 2 < path.length; i += 2)
      expect(Math.hypot((path[i] as number) - 200, (path[i + 1] as number) - 200)).toBeCloseTo(120, -1);
  });

  it('outlines a disc with four clicks better than a polygon of four', () => {
    const truth = rasterizePolygons([circle(100, 30)], 100, 100);
    const draw = (tool: 'smart-outline' | 'polygon') => {
      const editor = new TestEditor({ height: 100, width: 100 }).tool(tool);
      editor.dispatch({ type: 'edges', edges: edgeCosts(disc(100, 30)) });
      return editor.clicks([80, 50], [50, 80], [20, 50], [50, 20]).click(80, 50).expectShapes(1).mask();
    };
    expect(iou(draw('smart-outline'), truth)).toBeGreaterThan(0.95);
    expect(iou(draw('polygon'), truth)).toBeLessThan(0.7);
    expect(intersectionArea(draw('smart-outline'), truth)).toBeGreaterThan(0.95 * area(truth));
  });

  it('is told with the outline: how many clicks and how long', () => {
    const editor = new TestEditor({ height: 100, width: 100 }).tool('smart-outline');
    editor.dispatch({ type: 'edges', edges: edgeCosts(disc(100, 30)) });
    editor.clicks([80, 50], [50, 80], [20, 50], [50, 20]).key('Enter');
    const [drawn] = editor.document.layers[0]?.shapes ?? [];
    expect(drawn?.origin).toMatchObject({ kind: 'livewire', model: null, clicks: 4, edited: false });
    expect(drawn?.origin?.latencyMs).toBeGreaterThan(1500);
    editor.tool('polygon').clicks([5, 5], [15, 5], [15, 15]).key('Enter');
    expect(editor.document.layers[0]?.shapes[1]?.origin).toBeUndefined();
  });

  it('draws straight until the edges are known', () => {
    new TestEditor()
      .tool('smart-outline')
      .clicks([10, 10], [40, 10], [40, 40], [10, 40])
      .key('Enter')
      .expectArea(900);
  });
});

describe('the queue', () => {
  it('gives nodes back by ascending key, however they were pushed and moved', () => {
    const keys = fc.array(fc.nat(30), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(keys, keys, (first, second) => {
        const queue = new BucketQueue(first.length, 64);
        const now = first.map((key, node) => Math.min(key, second[node] ?? key));
        for (const [node, key] of first.entries()) queue.push(node, key);
        for (const [node, key] of first.entries()) {
          const least = now[node] as number;
          if (least === key) continue;
          queue.remove(node);
          queue.push(node, least);
        }
        const taken = first.map(() => now[queue.take()] as number);
        expect(taken).toEqual(now.toSorted((a, b) => a - b));
        expect(queue.size).toBe(0);
      }),
    );
  });
});

describe('simplifying a path', () => {
  it('keeps both ends and everything that sticks out', () => {
    const path = [0, 0, 1, 0.5, 2, 0, 3, 0.5, 4, 0, 4, 5];
    expect(Array.from(simplifyPath(path, 0.6))).toEqual([0, 0, 4, 0, 4, 5]);
    expect(Array.from(simplifyPath([1, 1], 1))).toEqual([1, 1]);
  });
});
