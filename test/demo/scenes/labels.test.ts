import { describe, expect, it } from 'vitest';
import { area, difference } from '@/lib/core/mask';
import {
  choicesFrom,
  localisedAttributes,
  validateAttributes,
  wholeObjectAttributes,
} from '@/lib/core/schema';
import { partImageNet, rival10 } from '@/lib/core/schema/presets';
import { generateScene, type Scene } from '@/lib/demo/scenes';
import { isNoticeable } from '@/lib/demo/scenes/labels';
import { planScene } from '@/lib/demo/scenes/plan';

const scenes: Scene[] = Array.from({ length: 300 }, (_, seed) =>
  generateScene({
    seed,
    preset: 'rival10',
    width: 160,
    height: 160,
    occlusion: 0.3,
    difficulty: (seed % 4) / 4,
  }),
);

const positives = (scene: Scene) => [
  ...Object.keys(scene.attributes).filter((id) => scene.attributes[id]),
  ...scene.colours,
];

describe('labels of 300 RIVAL10 scenes', () => {
  it('name every one of the 18 attributes, true or false', () => {
    const ids = [...localisedAttributes(rival10), ...wholeObjectAttributes(rival10)]
      .map(({ id }) => id)
      .sort();
    expect(ids).toHaveLength(18);
    for (const scene of scenes) expect(Object.keys(scene.attributes).sort()).toEqual(ids);
  });

  it('obey the rules of the form', () => {
    for (const scene of scenes) {
      expect(
        validateAttributes(rival10, choicesFrom(rival10, positives(scene))),
        `seed ${scene.seed}`,
      ).toEqual([]);
    }
  });

  it('say yes to a localised attribute exactly when there is a noticeable mask for it', () => {
    for (const scene of scenes) {
      for (const { id } of localisedAttributes(rival10)) {
        const mask = scene.attributeMasks[id];
        expect(scene.attributes[id], `${scene.seed} ${id}`).toBe(mask !== undefined);
        if (mask) expect(isNoticeable(mask)).toBe(true);
      }
    }
  });

  it('never put an attribute outside the object', () => {
    for (const scene of scenes) {
      for (const mask of Object.values(scene.attributeMasks))
        expect(area(difference(mask, scene.objectMask))).toBe(0);
    }
  });

  it('mark floppy ears only together with ears', () => {
    for (const { attributes } of scenes) if (attributes['floppy-ears']) expect(attributes.ears).toBe(true);
  });

  it('leave a good part of the object in sight', () => {
    for (const scene of scenes)
      expect(area(scene.objectMask), `seed ${scene.seed}`).toBeGreaterThan(0.01 * 160 * 160);
  });

  it('show every attribute and every colour somewhere, and none everywhere', () => {
    const counts = new Map<string, number>();
    for (const scene of scenes) for (const id of positives(scene)) counts.set(id, (counts.get(id) ?? 0) + 1);
    for (const { id } of rival10.attributes) {
      expect(counts.get(id) ?? 0, id).toBeGreaterThan(0);
      expect(counts.get(id) ?? 0, id).toBeLessThan(300);
    }
  });

  it('call wet what stands in water', () => {
    const bathers = scenes.filter(
      ({ background, className }) => background === 'pond' && className === 'dog',
    );
    expect(bathers.length).toBeGreaterThan(0);
    for (const scene of bathers) expect(scene.attributes.wet).toBe(true);
  });

  it('carry a wnid of their class', () => {
    for (const preset of [rival10, partImageNet]) {
      for (let seed = 0; seed < 60; seed++) {
        const scene = planScene({ seed, preset: preset.id as 'rival10', width: 96, height: 96 });
        const { wnids = [] } = preset.classes.find(({ id }) => id === scene.mainClass) ?? {};
        expect(wnids, `${preset.id} ${seed} ${scene.mainClass}`).toContain(scene.wnid);
      }
    }
  });
});
