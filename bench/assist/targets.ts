import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { area, fromBitmap, type Mask, removeSpecks } from '@/lib/core/mask';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene, type Scene, type SceneOptions } from '@/lib/demo/scenes';

/** An area that somebody is asked to draw. */
export interface Target {
  name: string;
  bytes: Buffer;
  rgba: Buffer;
  width: number;
  height: number;
  truth: Mask;
}

const WIDTH = 640;
const HEIGHT = 480;
/** Areas below this share of the picture are left out: at 640 × 480 a hair more or less decides about them. */
const MIN_AREA_SHARE = 0.004;

const classes = ['truck', 'car', 'plane', 'ship', 'cat', 'dog', 'equine', 'deer', 'frog', 'bird'];

/** Generated pictures: one object each, and two of its parts. */
export async function sceneTargets(pictures: number): Promise<{ objects: Target[]; parts: Target[] }> {
  const objects: Target[] = [];
  const parts: Target[] = [];
  for (let i = 0; i < pictures; i++) {
    const className = classes[i % classes.length];
    const options: SceneOptions = {
      seed: 9000 + i,
      preset: 'rival10',
      className,
      width: WIDTH,
      height: HEIGHT,
    };
    const scene = generateScene(options);
    const picture = await readPicture(await renderScene(scene, { format: 'jpeg', quality: 90 }));
    objects.push({ ...picture, name: `${scene.className} ${i}`, truth: scene.objectMask });
    for (const [part, truth] of largestParts(scene)) parts.push({ ...picture, name: `${part} ${i}`, truth });
  }
  return { objects, parts };
}

function largestParts({ attributeMasks, width, height }: Scene): [string, Mask][] {
  return Object.entries(attributeMasks)
    .map(([name, mask]): [string, Mask] => [name, removeSpecks(mask, 20, 8)])
    .filter(([, mask]) => area(mask) > MIN_AREA_SHARE * width * height)
    .sort(([, a], [, b]) => area(b) - area(a))
    .slice(0, 2);
}

/** Photographs with their truth beside them: `name.jpg` and `name.png`, white where the object is. */
export async function photoTargets(folder: string): Promise<Target[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jpg')).sort();
  return Promise.all(
    names.map(async (name) => {
      const picture = await readPicture(await readFile(path.join(folder, name)));
      const grey = await sharp(path.join(folder, name.replace(/\.jpg$/, '.png')))
        .resize(picture.width, picture.height, { fit: 'fill', kernel: 'nearest' })
        .greyscale()
        .raw()
        .toBuffer();
      const truth = fromBitmap(
        grey.map((value) => (value > 127 ? 1 : 0)),
        picture.height,
        picture.width,
      );
      return { ...picture, name, truth };
    }),
  );
}

async function readPicture(bytes: Buffer): Promise<Omit<Target, 'name' | 'truth'>> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { bytes, rgba: data, width: info.width, height: info.height };
}
