import sharp from 'sharp';
import type { Scene } from './scenes';

export interface RenderOptions {
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
