import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';

const NO_SPLIT = 255;
const AT_ONCE = 64;

/** How often the exported model is right about the images of a snapshot that belong to no split. */
export async function accuracyOutsideSplits(
  model: string,
  snapshot: string,
): Promise<{ n: number; correct: number }> {
  const read = (name: string) => readFile(path.join(snapshot, name));
  const [images, labels, splits] = await Promise.all([
    read('images.u8'),
    read('labels.u16'),
    read('splits.u8'),
  ]);
  const rows = [...splits.keys()].filter((row) => splits[row] === NO_SPLIT);
  const pixels = images.length / splits.length / 3;
  const side = Math.sqrt(pixels);
  const session = await InferenceSession.create(model, { logSeverityLevel: 3 });
  let correct = 0;
  try {
    for (let at = 0; at < rows.length; at += AT_ONCE) {
      const share = rows.slice(at, at + AT_ONCE);
      const values = new Float32Array(share.length * pixels * 3);
      share.forEach((row, place) => {
        for (let i = 0; i < pixels; i++)
          for (let c = 0; c < 3; c++)
            values[(place * 3 + c) * pixels + i] = (images[(row * pixels + i) * 3 + c] as number) / 255;
      });
      const { logits } = await session.run({
        image: new Tensor('float32', values, [share.length, 3, side, side]),
      });
      const found = logits?.data as Float32Array;
      const classes = found.length / share.length;
      share.forEach((row, place) => {
        const own = found.subarray(place * classes, (place + 1) * classes);
        if (own.indexOf(Math.max(...own)) === labels.readUInt16LE(row * 2)) correct++;
      });
    }
  } finally {
    await session.release();
  }
  return { n: rows.length, correct };
}
