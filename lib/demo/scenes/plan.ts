import type { DatasetSchema } from '@/lib/core/schema';
import { schemaPreset } from '@/lib/core/schema/presets';
import { composeFigure } from './compose';
import type { ScenePlan } from './draw';
import { type Figure, stance } from './figure';
import { chooseBackground, chooseStreet } from './habitats';
import { createRng, type Rng } from './prng';
import type { SceneOptions } from './scene';
import { catalogue } from './species/catalogue';
import { castStreet, composeStreet } from './street';

/** A plan with what its truth is called. */
export interface NamedPlan extends ScenePlan {
  schema: DatasetSchema;
  /** Class of each instance; the first is the scene's, or in a street scene the last. */
  classNames: string[];
  mainClass: string;
  background: string;
  wnid?: string;
  figure?: Figure;
  traits: Set<string>;
}

/** Sides that the generator is made for; beyond them strokes get too coarse or too fine. */
const SIDES = { least: 32, most: 4096 };

function checked(options: SceneOptions): { schema: DatasetSchema; className: string } {
  const schema = schemaPreset(options.preset);
  if (!schema) throw new Error(`There is no schema preset "${options.preset}".`);
  for (const side of [options.width, options.height]) {
    if (!Number.isInteger(side) || side < SIDES.least || side > SIDES.most) {
      throw new RangeError(
        `A scene's sides are whole pixels from ${SIDES.least} to ${SIDES.most}, got ${side}.`,
      );
    }
  }
  if (!Number.isInteger(options.seed)) throw new RangeError(`A seed is an integer, got ${options.seed}.`);
  const names = schema.classes.map(({ id }) => id);
  const className = options.className ?? createRng(options.seed).fork('class').pick(names);
  if (!names.includes(className)) throw new Error(`${schema.name} has no class "${className}".`);
  return { schema, className };
}

function hazeOf(difficulty: number, rng: Rng): number {
  return rng.bernoulli(difficulty) ? difficulty * rng.between(0.3, 0.9) : 0;
}

function planStreet(options: SceneOptions, schema: DatasetSchema, mainClass: string, rng: Rng): NamedPlan {
  const { width, height, seed } = options;
  const background = chooseStreet(mainClass, options.spurious?.strength, rng.fork('background'));
  const backdrop = background.paint({ rng: rng.fork('backdrop'), width, height });
  const cast = castStreet(mainClass, rng.fork('cast'));
  return {
    seed,
    width,
    height,
    backdrop,
    ...composeStreet(cast, backdrop, width, height, rng.fork('street')),
    haze: hazeOf(options.difficulty ?? 0, rng.fork('haze')),
    schema,
    classNames: cast.map(({ className }) => className),
    mainClass,
    background: background.id,
    traits: new Set(),
  };
}

export function planScene(options: SceneOptions): NamedPlan {
  const { schema, className } = checked(options);
  const { width, height, seed } = options;
  const rng = createRng(seed).fork(`${options.preset} ${className}`);
  if (options.preset === 'cityscapes-parts') return planStreet(options, schema, className, rng);
  const knobs = { difficulty: options.difficulty ?? 0, occlusion: options.occlusion ?? 0.2 };
  const background = chooseBackground(className, options.spurious?.strength, rng.fork('background'));
  const backdrop = background.paint({ rng: rng.fork('backdrop'), width, height });
  const facing = rng.bernoulli(0.5) ? 1 : -1;
  const species = rng.pick(catalogue[options.preset]?.[className] ?? []);
  const figure = species.draw(stance(rng.fork('figure'), facing, background.surface));
  const frame = { width, height, backdrop, surface: background.surface };
  const { layers, shadows, inWater } = composeFigure(figure, frame, facing, knobs, rng.fork('composition'));
  return {
    seed,
    width,
    height,
    backdrop,
    layers,
    shadows,
    haze: hazeOf(knobs.difficulty, rng.fork('haze')),
    schema,
    classNames: [className],
    mainClass: className,
    background: background.id,
    ...(species.wnid ? { wnid: species.wnid } : {}),
    figure,
    traits: new Set([...figure.traits, ...(species.traits ?? []), ...(inWater ? ['wet'] : [])]),
  };
}
