import { createHash } from 'node:crypto';
import type { Dataset, DatasetImage, MaskLabel } from '@/lib/core/formats/dataset';
import type { Pictures } from '@/lib/core/formats/format';
import { area } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';

/** Side of a drawn scene; the trainer sees 64 px of it. */
const SIDE = 160;
/** Large and clear figures, often with something before them: smaller ones have parts of a pixel or two at 64 px. */
const DIFFICULTY = 0;
const OCCLUSION = 0.4;

/**
 * `likely`: classes appear where one would expect them, in several places each. `cue`: in training the background names
 * the class, in the test it says nothing. `free`: it says nothing anywhere.
 */
export type Setting = 'likely' | 'cue' | 'free';

export interface Counts {
  /** Images of each class. */
  train: number;
  val: number;
  test: number;
}

/** Where the images of the test that keep the cue are: in no split, so that the trainer leaves them alone. */
export const IN_PLACE = 'in place';

/**
 * Animals only: they look alike in size and place, so that a class is told by its parts, and with 24 parts instead of 40
 * a small segmenter learns some of them in the minutes it has.
 */
export const classes = ['Biped', 'Bird', 'Fish', 'Quadruped', 'Reptile', 'Snake'];

interface Wanted {
  seed: number;
  className: string;
  split: string;
  /** How strongly the background is tied to the class; left out, it is a likely one. */
  strength: number | undefined;
}

function wanted(setting: Setting, counts: Counts): Wanted[] {
  const told = { likely: undefined, cue: 1, free: 0 }[setting];
  const groups: [split: string, each: number, strength: number | undefined, first: number][] = [
    ['train', counts.train, told, 0],
    ['val', counts.val, told, 1_000_000],
    ['test', counts.test, setting === 'likely' ? undefined : 0, 2_000_000],
    // The same figures as in the test; what is behind them differs, and so how they stand in it.
    ...(setting === 'cue' ? [[IN_PLACE, counts.test, 1, 2_000_000] as [string, number, number, number]] : []),
  ];
  return groups.flatMap(([split, each, strength, first]) =>
    Array.from({ length: each * classes.length }, (_, i) => ({
      seed: first + i,
      className: classes[i % classes.length] as string,
      split,
      strength,
    })),
  );
}

/** Names the content without making it. */
export const scenesHash = (setting: Setting, counts: Counts): string =>
  createHash('sha256')
    .update(JSON.stringify({ all: wanted(setting, counts), SIDE, DIFFICULTY, OCCLUSION }))
    .digest('hex');

/** A version that was never in a database: generated pictures and the exact masks of their parts. */
export async function makeScenes(
  setting: Setting,
  counts: Counts,
): Promise<{ dataset: Dataset; pictures: Pictures }> {
  const all = wanted(setting, counts);
  const bytes = new Map<string, Buffer>();
  const images: DatasetImage[] = [];
  for (const each of all) {
    const scene = generateScene({
      seed: each.seed,
      preset: 'part-imagenet',
      className: each.className,
      width: SIDE,
      height: SIDE,
      difficulty: DIFFICULTY,
      occlusion: OCCLUSION,
      ...(each.strength === undefined ? {} : { spurious: { strength: each.strength } }),
    });
    const name = `${each.split.replace(' ', '-')}-${each.seed}.png`;
    bytes.set(name, await renderScene(scene, { format: 'png' }));
    const parts = Object.entries(scene.partMasks)
      .map(([id, mask]): MaskLabel => ({ id, mask, source: 'generator', confidence: 1 }))
      .filter(({ mask }) => area(mask) > 0);
    images.push({
      name,
      className: each.className,
      wnid: null,
      groupKey: null,
      columns: {},
      split: each.split,
      width: SIDE,
      height: SIDE,
      picture: { sha256: '', mediaType: 'image/png' },
      attributes: null,
      attributeMasks: [],
      objects: [{ className: each.className, instance: 1, outline: null, parts, absent: [] }],
      hasMasks: true,
    });
  }
  const stored = async ({ name }: DatasetImage) => bytes.get(name) as Buffer;
  return {
    dataset: {
      name: `study ${setting}`,
      hash: scenesHash(setting, counts),
      schema: partImageNet,
      splits: ['train', 'val', 'test'],
      count: images.length,
      licence: '',
      async *images() {
        yield* images;
      },
    },
    pictures: { readStored: stored, encode: stored },
  };
}
