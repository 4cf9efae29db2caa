import sharp, { type Sharp } from 'sharp';
import type { DatasetImage } from '@/lib/core/formats/dataset';
import type { Pictures } from '@/lib/core/formats/format';
import type { Storage } from '@/lib/services/storage';

/** Larger than any image that uploads accept. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** Reads image files from the store for exporters. */
export function createPictures(storage: Storage): Pictures {
  const bytesOf = (image: DatasetImage) => storage.read(image.picture.sha256, MAX_BYTES);
  return {
    async readStored(image) {
      if (image.picture.window) throw new Error('A window on a picture has no stored bytes of its own.');
      return bytesOf(image);
    },
    async encode(image, { format, quality = 95, size }) {
      let pipeline = sharp(await bytesOf(image), { failOn: 'error' });
      const { window } = image.picture;
      if (window) pipeline = sharp(await cropWindow(pipeline, window), { raw: rawOf(window) });
      if (size) pipeline = pipeline.resize(size.width, size.height, { fit: 'fill' });
      const coded =
        format === 'png'
          ? pipeline.png({ compressionLevel: 6, adaptiveFiltering: false })
          : pipeline.jpeg({ quality, chromaSubsampling: '4:4:4' });
      return coded.toBuffer();
    },
  };
}

type Window = NonNullable<DatasetImage['picture']['window']>;

const rawOf = ({ width, height }: Window) => ({ width, height, channels: 3 as const });

/** Crops a window. Pixels outside the image are black. */
async function cropWindow(source: Sharp, window: Window): Promise<Buffer> {
  const { data, info } = await source
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { channels } = info;
  const cut = Buffer.alloc(window.width * window.height * 3);
  const left = Math.max(0, window.x);
  const right = Math.min(info.width, window.x + window.width);
  for (let y = Math.max(0, window.y); y < Math.min(info.height, window.y + window.height); y++) {
    let to = ((y - window.y) * window.width + (left - window.x)) * 3;
    for (let x = left; x < right; x++) {
      const from = (y * info.width + x) * channels;
      for (let c = 0; c < 3; c++) cut[to++] = data[from + (channels === 1 ? 0 : c)] as number;
    }
  }
  return cut;
}
