import sharp from 'sharp';
import type { Db } from '@/db';
import { addGeneratedImage } from '@/lib/services/images/ingest/store-image';
import type { Storage } from '@/lib/services/storage';
import type { DemoImage } from './past-work';
import { generateScene, type Scene, type SceneOptions } from './scenes';
import { createRng } from './scenes/prng';

/** Sizes in pixels, as photographs come: wide, upright, square. */
const SIZES = [
  [384, 288],
  [288, 384],
  [320, 320],
  [448, 300],
] as const;

type PictureSeries = {
  projectId: string;
  preset: SceneOptions['preset'];
  classNames: string[];
  /** Where in the endless series of pictures to begin: the same number gives the same picture. */
  first: number;
  count: number;
};

/** Makes and stores pictures one after the other. Classes take turns. */
export async function* makePictures(
  db: Db,
  storage: Storage,
  series: PictureSeries,
): AsyncGenerator<DemoImage> {
  for (let index = series.first; index < series.first + series.count; index++) {
    const options = sceneOptions(series, index);
    const scene = generateScene(options);
    const bytes = await renderScene(scene, { format: 'jpeg', quality: 90 });
    const { id } = await addGeneratedImage(db, storage, {
      projectId: series.projectId,
      ...namedAs(series.preset, scene.className, index),
      className: scene.className,
      wnid: scene.wnid ?? null,
      origin: { generator: 'scenes', ...options },
      bytes,
    });
    yield { id, scene };
  }
}

const CITIES = ['eastport', 'millbrook', 'northgate'];

/** Street scenes are called as those of Cityscapes are, by city, sequence and frame. */
function namedAs(preset: SceneOptions['preset'], className: string, index: number) {
  const number = (digits: number) => String(index).padStart(digits, '0');
  if (preset !== 'cityscapes-parts') return { name: `${className.toLowerCase()}-${number(5)}.jpg` };
  const city = CITIES[index % CITIES.length] as string;
  return { name: `${city}_${number(6)}_000019.jpg`, columns: { city } };
}

function sceneOptions({ preset, classNames }: PictureSeries, index: number): SceneOptions {
  const random = createRng(index).fork('size');
  const [width, height] = random.pick(SIZES);
  const className = classNames[index % classNames.length] as string;
  return { seed: index, preset, className, width, height, occlusion: 0.3 };
}

interface RenderOptions {
  format: 'png' | 'jpeg';
  /** JPEG quality, 1-100. */
  quality?: number;
}

/** The picture of a scene as image bytes; the same scene gives the same bytes on one build of libvips. */
export async function renderScene(scene: Pick<Scene, 'svg'>, options: RenderOptions): Promise<Buffer> {
  const image = sharp(Buffer.from(scene.svg)).flatten({ background: '#ffffff' });
  // Level 6 and no palette: five times faster than the smallest file, which demo pictures do not need.
  if (options.format === 'png') return image.png({ compressionLevel: 6 }).toBuffer();
  return image.jpeg({ quality: options.quality ?? 90, chromaSubsampling: '4:4:4' }).toBuffer();
}
