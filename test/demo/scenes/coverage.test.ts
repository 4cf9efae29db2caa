import { describe, expect, it } from 'vitest';
import { area, difference } from '@/lib/core/mask';
import { schemaPresets } from '@/lib/core/schema/presets';
import { generateScene, type ScenePreset } from '@/lib/demo/scenes';
import { planScene } from '@/lib/demo/scenes/plan';

/** Scenes of one class until nothing new is likely: rare views, such as a train from behind, need some. */
const PER_CLASS = 30;

describe.each(schemaPresets.map((schema) => [schema.id as ScenePreset, schema] as const))(
  '%s',
  (preset, schema) => {
    it('has a drawing of every class, showing every part of it', () => {
      let seed = 0;
      for (const { id: className } of schema.classes) {
        const missing = new Set(
          schema.parts.filter(({ classes }) => classes.includes(className)).map(({ id }) => id),
        );
        for (let i = 0; i < PER_CLASS; i++) {
          const scene = generateScene({ seed: seed++, preset, className, width: 160, height: 160 });
          expect(scene.className).toBe(className);
          for (const id of Object.keys(scene.partMasks)) missing.delete(id);
          if (missing.size === 0) break;
        }
        expect([...missing], className).toEqual([]);
      }
    });

    it('keeps every part within the object', () => {
      for (let seed = 900; seed < 915; seed++) {
        const scene = generateScene({ seed, preset, width: 160, height: 160 });
        for (const [id, mask] of Object.entries(scene.partMasks)) {
          expect(area(difference(mask, scene.objectMask)), `${seed} ${id}`).toBe(0);
        }
      }
    });

    it('draws a class at random when none is named, each of them sooner or later', () => {
      const seen = new Set<string>();
      for (let seed = 0; seed < 160; seed++) {
        seen.add(planScene({ seed, preset, width: 48, height: 48 }).mainClass);
      }
      expect(seen).toEqual(new Set(schema.classes.map(({ id }) => id)));
    });
  },
);
