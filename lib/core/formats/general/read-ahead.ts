import type { DatasetImage } from '../dataset';
import type { Pictures } from '../format';
import { pictureFile } from './picture-file';

/** Pictures that are read while another one is written. */
const AHEAD = 4;

export interface WithPicture {
  image: DatasetImage;
  picture: Uint8Array;
}

/** Images with the bytes of their pictures, in order; a few are read ahead. */
export async function* withPictures(
  images: readonly DatasetImage[],
  pictures: Pictures,
): AsyncGenerator<WithPicture> {
  const queue: Promise<WithPicture>[] = [];
  for (const image of images) {
    const reading = withPicture(image, pictures);
    // It is awaited in its turn; until then its failure must not count as unheard.
    reading.catch(() => {});
    queue.push(reading);
    if (queue.length > AHEAD) yield await (queue.shift() as Promise<WithPicture>);
  }
  for (const reading of queue) yield await reading;
}

async function withPicture(image: DatasetImage, pictures: Pictures): Promise<WithPicture> {
  const picture = await pictureFile('', image, pictures).bytes?.();
  if (!picture) throw new Error(`The picture of "${image.name}" has no bytes.`);
  return { image, picture };
}
