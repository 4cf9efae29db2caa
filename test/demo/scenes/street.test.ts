import { describe, expect, it } from 'vitest';
import { area, equals, intersectionArea, merge } from '@/lib/core/mask';
import { partsOfClass } from '@/lib/core/schema';
import { cityscapesParts } from '@/lib/core/schema/presets';
import { generateScene, type SceneInstance } from '@/lib/demo/scenes';

const street = (seed: number) => generateScene({ seed, preset: 'cityscapes-parts', width: 320, height: 160 });

const streets = Array.from({ length: 20 }, (_, seed) => street(seed));
const instancesOf = (seed: number): SceneInstance[] => streets[seed]?.instances ?? [];

describe('a street scene', () => {
  it('holds several road users that never share a pixel', () => {
    expect(Math.max(...streets.map(({ instances }) => instances?.length ?? 0))).toBeGreaterThanOrEqual(4);
    for (let seed = 0; seed < 20; seed++) {
      const instances = instancesOf(seed);
      for (const a of instances) {
        for (const b of instances) if (a.id < b.id) expect(intersectionArea(a.mask, b.mask)).toBe(0);
      }
    }
  });

  it('has a road user of its own class as the nearest one', () => {
    for (const scene of streets) expect(scene.instances?.at(-1)?.className).toBe(scene.className);
  });

  it('gives each road user only parts of its class, which together make up all of it', () => {
    for (let seed = 0; seed < 20; seed++) {
      for (const { className, mask, partMasks } of instancesOf(seed)) {
        const allowed = partsOfClass(cityscapesParts, className).map(({ id }) => id);
        for (const id of Object.keys(partMasks)) expect(allowed).toContain(id);
        expect(equals(merge(Object.values(partMasks)), mask), `${seed} ${className}`).toBe(true);
      }
    }
  });

  it('adds the instances up to the object mask', () => {
    for (const scene of streets) {
      const sum = (scene.instances ?? []).reduce((total, { mask }) => total + area(mask), 0);
      expect(sum).toBe(area(scene.objectMask));
    }
  });
});
