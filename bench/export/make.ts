import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MaskLabel } from '@/lib/core/formats/dataset';
import { area, translate } from '@/lib/core/mask';
import { partImageNet } from '@/lib/core/schema/presets';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';
import { canonical, manifestFormat, writeLine } from '@/lib/services/datasets/manifest';

const CLASSES = ['Aeroplane', 'Biped', 'Bird'];
const [WIDTH, HEIGHT] = [500, 375];
/** Pictures that are drawn; the others are the same pictures with another comment, and masks moved by some pixels. */
const DRAWN = 30;

/** Images of five parts each, as the store and a manifest hold them. Gives the manifest's name. */
export async function makeVersion(folder: string, count: number): Promise<string> {
  await mkdir(path.join(folder, 'blobs'), { recursive: true });
  const scenes = await Promise.all(
    Array.from({ length: DRAWN }, async (_, seed) => {
      const className = CLASSES[seed % CLASSES.length] as string;
      const scene = generateScene({ seed, preset: 'part-imagenet', className, width: WIDTH, height: HEIGHT });
      return { scene, bytes: await renderScene(scene, { format: 'jpeg', quality: 90 }) };
    }),
  );
  const file = path.join(folder, `manifest-${count}.ndjson`);
  const manifest = createWriteStream(file);
  const header = {
    format: manifestFormat,
    schema: partImageNet,
    policy: {},
    split: { kind: 'none' },
    splits: ['train', 'val', 'test'],
    licence: '',
    consent: null,
    images: count,
  };
  manifest.write(`${canonical(header)}\n`);
  for (let i = 0; i < count; i++) {
    const { scene, bytes } = scenes[i % DRAWN] as (typeof scenes)[number];
    const own = withComment(bytes, `picture ${i}`);
    const sha256 = createHash('sha256').update(own).digest('hex');
    // As the store lays them out.
    const place = path.join(folder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4));
    await mkdir(place, { recursive: true });
    await writeFile(path.join(place, sha256), own);
    const parts = Object.entries(scene.partMasks)
      .map(([id, mask]): MaskLabel => {
        const moved = translate(mask, i % 7, i % 5);
        return { id, mask: moved, source: 'generator', confidence: 1 };
      })
      .filter(({ mask }) => area(mask) > 0);
    const line = writeLine({
      source: sha256,
      name: `${scene.className.toLowerCase()}-${String(i).padStart(6, '0')}.jpg`,
      className: scene.className,
      wnid: scene.wnid ?? null,
      groupKey: null,
      columns: {},
      split:
        (['train', 'train', 'train', 'train', 'val', 'test'] as const)[Math.floor(i / DRAWN) % 6] ?? 'train',
      width: WIDTH,
      height: HEIGHT,
      picture: { sha256, mediaType: 'image/jpeg' },
      attributes: null,
      attributeMasks: [],
      objects: [{ className: scene.className, instance: 1, outline: null, parts, absent: [] }],
      hasMasks: true,
    });
    if (!manifest.write(`${line}\n`))
      await new Promise<void>((resolve) => manifest.once('drain', () => resolve()));
  }
  await new Promise<void>((resolve, reject) =>
    manifest.end((error?: Error | null) => (error ? reject(error) : resolve())),
  );
  return file;
}

/** A comment segment after the start of image makes a JPEG another file with the same pixels. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text);
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2]);
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)]);
}

/** A throw-away environment; null where it cannot be made. */
export function makePython(folder: string): string | null {
  try {
    const venv = path.join(folder, 'venv');
    execFileSync('python3', ['-m', 'venv', venv]);
    execFileSync(path.join(venv, 'bin/pip'), ['install', '--quiet', 'numpy', 'pillow', 'pycocotools']);
    return path.join(venv, 'bin/python');
  } catch {
    console.log('No Python environment could be made: the columns of Python are empty.\n');
    return null;
  }
}
