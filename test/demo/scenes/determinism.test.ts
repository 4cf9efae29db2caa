import { describe, expect, it } from 'vitest';
import { equals, type Mask } from '@/lib/core/mask';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene, type SceneOptions } from '@/lib/demo/scenes';
import { createRng } from '@/lib/demo/scenes/prng';

const options: SceneOptions = { seed: 20261116, preset: 'rival10', width: 200, height: 160, occlusion: 0.6 };

describe('the same seed gives the same scene', () => {
  it('to the byte in svg, png and jpeg', async () => {
    const [a, b] = [generateScene(options), generateScene(options)];
    expect(a.svg).toBe(b.svg);
    expect(await renderScene(a, { format: 'png' })).toEqual(await renderScene(b, { format: 'png' }));
    expect(await renderScene(a, { format: 'jpeg' })).toEqual(await renderScene(b, { format: 'jpeg' }));
  });

  it('in every mask and label', () => {
    const [a, b] = [generateScene(options), generateScene(options)];
    expect(a.attributes).toEqual(b.attributes);
    expect(a.colours).toEqual(b.colours);
    expect(equals(a.objectMask, b.objectMask)).toBe(true);
    for (const [id, mask] of Object.entries(a.attributeMasks)) {
      expect(equals(mask, b.attributeMasks[id] as Mask), id).toBe(true);
    }
  });

  it('whatever was generated in between', () => {
    const before = generateScene(options).svg;
    generateScene({ ...options, seed: 5, preset: 'cityscapes-parts' });
    expect(generateScene(options).svg).toBe(before);
  });

  it('and another seed another scene', () => {
    const pictures = Array.from({ length: 40 }, (_, seed) => generateScene({ ...options, seed }).svg);
    expect(new Set(pictures).size).toBe(40);
  });

  it('at another size the same subject in the same place', () => {
    const large = generateScene({ ...options, width: 400, height: 320 });
    const small = generateScene(options);
    expect(large.className).toBe(small.className);
    expect(large.background).toBe(small.background);
    expect(large.colours).toEqual(small.colours);
  });
});

describe('the random numbers', () => {
  it('follow xoshiro128** seeded by splitmix32, so another engine can repeat them', () => {
    const rng = createRng(42);
    const words = Array.from({ length: 4 }, () => Math.floor(rng.next() * 4294967296));
    expect(words).toMatchInlineSnapshot(`
      [
        2837322924,
        544945897,
        479756282,
        3500138142,
      ]
    `);
  });

  it('are uniform within the error of their count', () => {
    const rng = createRng(1);
    const bins = new Array<number>(10).fill(0);
    for (let i = 0; i < 20000; i++) {
      const bin = rng.integer(0, 9);
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    for (const count of bins) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  it('of a fork do not depend on how much its parent was used', () => {
    const [fresh, used] = [createRng(7), createRng(7)];
    used.next();
    expect(used.fork('tail').next()).toBe(fresh.fork('tail').next());
  });
});
