import sharp from 'sharp';
import { limits } from '@/lib/core/image-limits';
import { decodeHeic } from './decode-heic';
import type { PictureReply, PictureRequest } from './picture-pool';
import { PictureRefused, readPicture } from './read-picture';

/** The process that decodes: what a hostile file breaks, it breaks here. */
sharp.cache(false);
sharp.concurrency(1);

// libvips works in threads of its own, so this timer runs while a picture grows.
setInterval(() => {
  if (process.memoryUsage.rss() > limits.decoderBytes) process.exit(1);
}, 100).unref();

// Ctrl-C reaches every process of a terminal. A picture must not be refused because of it: this process
// ends when its parent lets go of it, and not before.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('disconnect', () => process.exit(0));

process.on('message', async ({ id, bytes }: PictureRequest) => {
  const reply = await readPicture(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    decodeHeic,
  ).then(
    (picture): PictureReply => ({ id, picture }),
    (error): PictureReply => ({
      id,
      refused: error instanceof PictureRefused ? error.message : `The picture cannot be read (${error}).`,
    }),
  );
  process.send?.(reply);
});
