import sharp from 'sharp';
import { CHANNELS, type Picture } from '@/lib/core/robustness/picture';

/** What is left of a picture after it was coded as JPEG: the same bytes on every machine with this codec. */
export async function throughJpeg({ width, height, data }: Picture, quality: number): Promise<Picture> {
  const area = width * height;
  const bytes = Buffer.alloc(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++)
      bytes[CHANNELS * i + c] = Math.round(255 * (data[c * area + i] as number));
  const coded = await sharp(bytes, { raw: { width, height, channels: CHANNELS } })
    .jpeg({ quality, chromaSubsampling: '4:2:0' })
    .toBuffer();
  const seen = await sharp(coded).raw().toBuffer();
  const out = new Float32Array(CHANNELS * area);
  for (let i = 0; i < area; i++)
    for (let c = 0; c < CHANNELS; c++) out[c * area + i] = (seen[CHANNELS * i + c] as number) / 255;
  return { width, height, data: out };
}
