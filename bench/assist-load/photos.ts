import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { boundingBox, isEmpty, type Mask, rasterizeShapes } from '@/lib/core/mask';
import type { EnginePicture } from '@/lib/services/inference/assists/assist-engine';
import { sha256Of } from '@/lib/services/storage';

export interface Photo {
  picture: EnginePicture;
  /** Around each part: x, y, width, height. */
  boxes: { box: [number, number, number, number]; truth: Mask }[];
}

const Coco = z.object({
  images: z.array(z.object({ id: z.number(), file_name: z.string(), width: z.number(), height: z.number() })),
  annotations: z.array(z.object({ image_id: z.number(), segmentation: z.array(z.array(z.number())) })),
});

/** Images of a folder with the parts of its COCO file; images without parts are left out. */
export async function readPhotos(folder: string): Promise<Photo[]> {
  const coco = Coco.parse(JSON.parse(await readFile(path.join(folder, 'annotations.json'), 'utf8')));
  const photos: Photo[] = [];
  for (const { id, file_name, width, height } of coco.images) {
    const inside = path.join(folder, 'images', file_name);
    const bytes = await readFile(existsSync(inside) ? inside : path.join(folder, file_name));
    const boxes = coco.annotations
      .filter(({ image_id }) => image_id === id)
      .map(({ segmentation }) => {
        const shapes = segmentation.map(
          (outer) => ({ kind: 'polygon', op: 'add', outer, holes: [] }) as const,
        );
        const truth = rasterizeShapes(shapes, height, width);
        return { truth, box: [...boundingBox(truth)] as [number, number, number, number] };
      })
      .filter(({ truth }) => !isEmpty(truth));
    const picture = { sha256: sha256Of(bytes), size: { width, height }, read: async () => bytes };
    if (boxes.length > 0) photos.push({ picture, boxes });
  }
  return photos;
}
