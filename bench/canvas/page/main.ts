import { ImagePyramid } from '@/app/annotate/_canvas/paint/image-pyramid';
import type { Act, SceneSpec, Subject } from '../scenes';
import { ourSubject } from './ours';
import { svgSubject } from './svg';

export type Measured = { readonly median: number; readonly p95: number };

/** Frames before the count starts, and frames that are counted. */
const WARM = 20;
const COUNTED = 90;

declare global {
  interface Window {
    measureScene: (who: 'ours' | 'svg', spec: SceneSpec, acts: readonly Act[]) => Promise<Measured[]>;
  }
}

window.measureScene = async (who, spec, acts) => {
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const file = await noise(spec);
  const subject =
    who === 'ours'
      ? ourSubject(root, spec, await ImagePyramid.of(await createImageBitmap(file)))
      : svgSubject(root, spec, URL.createObjectURL(file));
  await frames(30);
  const measured: Measured[] = [];
  for (const act of acts) measured.push(await measure(subject, act));
  return measured;
};

/** Time between frames while something happens in each. */
async function measure(subject: Subject, act: Act): Promise<Measured> {
  const times: number[] = [];
  let last = await nextFrame();
  for (let frame = 0; frame < WARM + COUNTED; frame++) {
    subject[act](frame);
    const now = await nextFrame();
    if (frame >= WARM) times.push(now - last);
    last = now;
  }
  subject.rest();
  await frames(20);
  times.sort((a, b) => a - b);
  return { median: at(times, 0.5), p95: at(times, 0.95) };
}

const at = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));

async function frames(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextFrame();
}

/** A picture that does not compress to nothing. */
async function noise({ width, height }: SceneSpec): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('There is no canvas.');
  for (let i = 0; i < 4000; i++) {
    context.fillStyle = `hsl(${(i * 137.5) % 360} 40% ${30 + (i % 40)}%)`;
    context.fillRect((i * 7919) % width, (i * 104_729) % height, width / 20, height / 20);
  }
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
}
