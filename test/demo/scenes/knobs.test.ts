import { describe, expect, it } from 'vitest';
import { area } from '@/lib/core/mask';
import { rival10 } from '@/lib/core/schema/presets';
import { generateScene, homeBackground, type Scene, type SceneOptions } from '@/lib/demo/scenes';
import { planScene } from '@/lib/demo/scenes/plan';

const many = (count: number, options: Partial<SceneOptions>): Scene[] =>
  Array.from({ length: count }, (_, seed) =>
    generateScene({ seed, preset: 'rival10', width: 64, height: 64, ...options }),
  );

/** Share of scenes whose background is the one their class is at home in. */
function atHome(strength: number): number {
  const plans = Array.from({ length: 150 }, (_, seed) =>
    planScene({ seed, preset: 'rival10', width: 64, height: 64, spurious: { strength } }),
  );
  return plans.filter(({ mainClass, background }) => background === homeBackground(mainClass)).length / 150;
}

describe('the spurious knob', () => {
  it('ties class to background as strongly as asked', () => {
    const [none, half, full] = [atHome(0), atHome(0.5), atHome(1)];
    // Of 14 backgrounds chance alone finds the home one in 1 of 14 scenes.
    expect(none).toBeLessThan(0.15);
    expect(half).toBeGreaterThan(0.4);
    expect(half).toBeLessThan(0.68);
    expect(full).toBe(1);
  });

  it('at full strength tells the class apart by background alone', () => {
    expect(new Set(rival10.classes.map(({ id }) => homeBackground(id))).size).toBe(rival10.classes.length);
  });
});

describe('the other knobs', () => {
  it('occlusion hides part of the object', () => {
    const total = (occlusion: number) =>
      many(40, { occlusion }).reduce((sum, s) => sum + area(s.objectMask), 0);
    expect(total(1)).toBeLessThan(0.97 * total(0));
  });

  it('difficulty makes objects smaller', () => {
    const total = (difficulty: number) =>
      many(40, { difficulty }).reduce((sum, s) => sum + area(s.objectMask), 0);
    expect(total(1)).toBeLessThan(0.8 * total(0));
  });

  it('any picture size is kept', () => {
    for (const [width, height] of [
      [128, 640],
      [640, 128],
      [333, 257],
    ] as const) {
      const scene = generateScene({ seed: 3, preset: 'part-imagenet', width, height });
      expect([scene.objectMask.width, scene.objectMask.height]).toEqual([width, height]);
      expect(scene.svg).toContain(`viewBox="0 0 ${width} ${height}"`);
    }
  });

  it('a class, size or seed that makes no sense is refused with a reason', () => {
    const good: SceneOptions = { seed: 1, preset: 'rival10', width: 64, height: 64 };
    expect(() => generateScene({ ...good, className: 'unicorn' })).toThrow('no class "unicorn"');
    expect(() => generateScene({ ...good, width: 0 })).toThrow('sides');
    expect(() => generateScene({ ...good, seed: 1.5 })).toThrow('integer');
  });

  it('pictures never depend on a font', () => {
    for (const { svg } of many(30, {})) expect(svg).not.toContain('<text');
  });
});
