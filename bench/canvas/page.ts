import { ImagePyramid } from '@/app/annotate/_canvas/paint/image-pyramid';
import { type Figures, figuresOf } from './figures';
import { ourSubject, svgSubject } from './renderers';
import type { Act, SceneSpec, Subject, SubjectName } from './scenes';

/** Frames before the count starts, and frames that are counted. */
const WARM = 20;
const COUNTED = 90;

declare global {
  interface Window {
    measureScene: (who: SubjectName, spec: SceneSpec, acts: readonly Act[]) => Promise<Figures[]>;
    prepareStroke: (who: SubjectName, spec: SceneSpec) => Promise<void>;
    strokeLatencies: () => Promise<number[]>;
  }
}

window.measureScene = async (who, spec, acts) => {
  const subject = await show(who, spec);
  const measured: Figures[] = [];
  for (const act of acts) measured.push(await measure(subject, act));
  return measured;
};

const latencies: number[] = [];

window.prepareStroke = async (who, spec) => {
  const subject = await show(who, spec);
  subject.listen();
  window.addEventListener('pointermove', async ({ timeStamp, buttons }) => {
    if (buttons === 0) return;
    await nextFrame();
    await nextFrame();
    latencies.push(performance.now() - timeStamp);
  });
};

window.strokeLatencies = async () => {
  await frames(5);
  return latencies.slice(WARM);
};

async function show(who: SubjectName, spec: SceneSpec): Promise<Subject> {
  const root = document.createElement('div');
  document.body.replaceChildren(root);
  const file = await noise(spec);
  const subject =
    who === 'ours'
      ? ourSubject(root, spec, await ImagePyramid.of(await createImageBitmap(file)))
      : svgSubject(root, spec, URL.createObjectURL(file));
  await frames(30);
  return subject;
}

/** Time between frames while something happens in each. */
async function measure(subject: Subject, act: Act): Promise<Figures> {
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
  return figuresOf(times);
}

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
