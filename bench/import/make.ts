import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { renderScene } from '@/lib/demo/pictures';
import { generateScene } from '@/lib/demo/scenes';

const SIDE = 512;
const PARTS = 7;
/** Scenes that are drawn. The pictures are cut-outs of them in other colours, so that each is another file to decode. */
const DRAWN = 20;

/** A flat COCO dataset: one photo-like JPEG, one object and seven parts per image, as polygons of 24 vertices. */
export async function makeCoco(folder: string, count: number): Promise<void> {
  await mkdir(path.join(folder, 'images'), { recursive: true });
  const scenes = await Promise.all(
    Array.from({ length: DRAWN }, (_, seed) =>
      renderScene(
        generateScene({ seed, preset: 'part-imagenet', className: 'Bird', width: 640, height: 640 }),
        {
          format: 'jpeg',
          quality: 95,
        },
      ),
    ),
  );
  const images = [];
  const annotations = [];
  for (let i = 0; i < count; i++) {
    const name = `photo-${String(i).padStart(6, '0')}.jpg`;
    const scene = scenes[i % DRAWN] as Buffer;
    const shift = { left: (i * 7) % 128, top: (i * 13) % 128 };
    const picture = await sharp(scene)
      .extract({ ...shift, width: SIDE, height: SIDE })
      .modulate({ brightness: 0.8 + (i % 41) / 100, hue: i % 360 })
      .jpeg({ quality: 90 })
      .toBuffer();
    await writeFile(path.join(folder, 'images', name), picture);
    images.push({ id: i + 1, file_name: name, width: SIDE, height: SIDE });
    annotations.push(annotation(i, 0, star(256, 256, 220, i)));
    for (let part = 1; part <= PARTS; part++) {
      const angle = (part / PARTS) * 2 * Math.PI;
      annotations.push(
        annotation(i, part, star(256 + 120 * Math.cos(angle), 256 + 120 * Math.sin(angle), 50, i + part)),
      );
    }
  }
  const categories = [
    { id: 1, name: 'bird', supercategory: '' },
    ...Array.from({ length: PARTS }, (_, part) => ({
      id: part + 2,
      name: `part ${part + 1}`,
      supercategory: 'bird',
    })),
  ];
  await writeFile(path.join(folder, 'annotations.json'), JSON.stringify({ images, annotations, categories }));
}

const annotation = (image: number, category: number, ring: number[]) => ({
  id: image * (PARTS + 1) + category + 1,
  image_id: image + 1,
  category_id: category + 1,
  segmentation: [ring],
  bbox: [0, 0, 1, 1],
  area: 1,
  iscrowd: 0,
});

/** A ring of 24 vertices with a radius that varies from image to image. */
function star(x: number, y: number, radius: number, seed: number): number[] {
  return Array.from({ length: 24 }, (_, i) => {
    const angle = (i / 24) * 2 * Math.PI;
    const reach = radius * (0.7 + 0.3 * Math.sin(5 * angle + seed));
    return [round(x + reach * Math.cos(angle)), round(y + reach * Math.sin(angle))];
  }).flat();
}

const round = (value: number) => Math.round(value * 10) / 10;
