import { schemaPresets } from '@/lib/core/schema/presets';
import { generateScene, type Scene, type ScenePreset } from '@/lib/demo/scenes';

/** What the demo says about a picture of its own making: name, class and size. */
export interface ListedPicture {
  name: string;
  className: string | null;
  width: number;
  height: number;
}

/** The demo names its pictures by class and number in the series; the number is the seed of the scene. */
const madeByDemo = /^(.+)-(\d{5,9})\.jpg$/;

/** How often something stands in front of the object in the demo's pictures. */
const OCCLUSION = 0.3;

/** The scenes of the demo's pictures, made again from their names when they are first asked for. */
export class KnownScenes {
  private readonly made = new Map<string, Scene>();

  constructor(private readonly preset: ScenePreset) {}

  /** Null for a picture that the generator did not make. */
  of(picture: ListedPicture): Scene | null {
    const [, prefix, digits] = madeByDemo.exec(picture.name) ?? [];
    const { className, width, height } = picture;
    if (!className || prefix !== className.toLowerCase()) return null;
    const key = `${digits} ${className} ${width} ${height}`;
    const known = this.made.get(key);
    if (known) return known;
    const options = { seed: Number(digits), preset: this.preset, className, width, height };
    const scene = generateScene({ ...options, occlusion: OCCLUSION });
    this.made.set(key, scene);
    return scene;
  }
}

/** The presets that the generator can draw are the presets there are; another schema has no scenes. */
export const scenePresetOf = (schemaId: string): ScenePreset | null =>
  schemaPresets.some(({ id }) => id === schemaId) ? (schemaId as ScenePreset) : null;
