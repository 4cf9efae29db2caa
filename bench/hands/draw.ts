import { Editor, emptyDocument, fitImage, layerMask, layerOf } from '@/lib/core/editor';
import { nearestEdge, type Point, type Ring, traceBorder } from '@/lib/core/geometry';
import { boundingBox, iou, isEmpty, type Mask, merge } from '@/lib/core/mask';
import type { Hand } from './hand';
import type { PartsImage } from './images';
import { type Plan, planOf } from './plan';

/** Of the canvas in a window of 1280 × 800, in screen pixels. */
const VIEWPORT = { width: 937, height: 660 };
/** A part that is shown smaller than this, in screen pixels, is zoomed to. */
const SMALL = 120;
const WHEEL_FACTOR = Math.exp(0.15);
/** How the border between two parts is drawn once: the second outline follows it, or is subtracted from it. */
export type Sharing = 'tracing' | 'subtraction';

export function openEditor(
  { width, height }: PartsImage,
  labels: readonly string[],
  sharing?: Sharing,
): Editor {
  const document = emptyDocument(height, width, labels);
  const camera = fitImage(document, VIEWPORT);
  return new Editor({
    ...{ document, targets: labels, tool: 'polygon' },
    view: { camera, viewport: VIEWPORT },
    // An outline that may run across other parts must not snap to them.
    settings: { subtractOthers: sharing === 'subtraction', snapping: sharing !== 'subtraction' },
  });
}

/** One part on a page of its own: what came before is not on it, and the image is fitted again. */
export function drawAlone(hand: Hand, image: PartsImage, label: string, plan: Plan): number {
  hand.editor = openEditor(image, [label]);
  hand.wait();
  const overlap = drawPart(hand, image, label, plan, false);
  hand.press('done');
  return overlap;
}

/** A target of an editor that has all of them, chosen by its number, or by the key for the next one beyond nine. */
export function drawTogether(
  hand: Hand,
  image: PartsImage,
  label: string,
  truth: Mask,
  alone: Plan,
  sharing: Sharing,
): number {
  const number = image.parts.findIndex(({ name }) => name === label) + 1;
  if (hand.editor.state.label !== label) {
    if (number <= 9) hand.press(`label-${number as 1}`);
    else {
      hand.press('next-target');
      hand.editor.dispatch({ type: 'label', label });
    }
  }
  if (sharing === 'tracing') return drawPart(hand, image, label, alone, true);
  const { document } = hand.editor.state;
  const drawn = document.layers.map((layer) => layerMask(document, layer)).filter((mask) => !isEmpty(mask));
  return drawPart(hand, image, label, planOf(truth, drawn.length > 0 ? merge(drawn) : undefined), false);
}

/** Reads what is asked, looks at it and draws it. Returns the IoU with the truth. */
function drawPart(hand: Hand, image: PartsImage, label: string, plan: Plan, sharesBorders: boolean): number {
  const truth = image.parts.find(({ name }) => name === label)?.truth as Mask;
  hand.think();
  lookAt(hand, truth);
  for (const { outer, holes } of plan) {
    drawRing(hand, outer, sharesBorders);
    for (const hole of holes) {
      hand.press('tool-polygon-erase');
      drawRing(hand, hole, sharesBorders);
      hand.press('tool-polygon');
    }
  }
  const { document } = hand.editor.state;
  const layer = layerOf(document, label);
  return layer ? iou(layerMask(document, layer), truth) : 0;
}

/** Fits the image if the part is out of view, and zooms to it if it is small. */
function lookAt(hand: Hand, truth: Mask): void {
  const [left, top, width, height] = boundingBox(truth);
  const middle: Point = [left + width / 2, top + height / 2];
  const shown = () => {
    const { zoom, panX, panY } = hand.editor.state.view.camera;
    const [x, y] = [left * zoom + panX, top * zoom + panY];
    const isInView =
      x >= 0 && y >= 0 && x + width * zoom <= VIEWPORT.width && y + height * zoom <= VIEWPORT.height;
    return { side: Math.max(width, height) * zoom, isInView };
  };
  if (!shown().isInView) hand.press('fit');
  const { side } = shown();
  if (side >= SMALL) return;
  hand.wheel(middle, Math.ceil(Math.log((1.5 * SMALL) / side) / Math.log(WHEEL_FACTOR)));
}

function drawRing(hand: Hand, ring: readonly Point[], sharesBorders: boolean): void {
  const steps = sharesBorders ? sharedSteps(hand.editor, ring) : ring.map((to): Step => ({ to }));
  for (const { to, along } of steps) {
    if (along) hand.hold('hold-trace');
    hand.click(to, along === 'longer');
    if (along) hand.release('hold-trace');
  }
  hand.press('confirm');
}

type Step = { readonly to: Point; readonly along?: 'shorter' | 'longer' };

/** Runs of vertices along a border that is drawn already are one press each, with the key that follows the border. */
function sharedSteps(editor: Editor, ring: readonly Point[]): Step[] {
  const { document, label, view, settings } = editor.state;
  const reach = (0.75 * settings.snapRadius) / view.camera.zoom;
  const borders = document.layers
    .filter((layer) => layer.label !== label)
    .flatMap(({ shapes }) => shapes.flatMap(({ shape }) => (shape.kind === 'polygon' ? [shape.outer] : [])));
  const borderOf = ([x, y]: Point) => borders.findIndex((border) => nearestEdge(x, y, border, reach));
  const of = ring.map(borderOf);
  const start = of.findIndex((border, i) => border < 0 || border !== of.at(i - 1));
  if (start < 0) return ring.map((to) => ({ to }));
  const order = ring.map((_, i) => (start + i) % ring.length);
  const steps: Step[] = [];
  for (let i = 0; i < order.length; ) {
    const first = order[i] as number;
    const border = of[first] as number;
    let end = i;
    while (border >= 0 && end + 1 < order.length && of[order[end + 1] as number] === border) end++;
    const run = order.slice(i, end + 1).map((at) => ring[at] as Point);
    if (run.length < 3) steps.push(...run.map((to) => ({ to })));
    else
      steps.push(
        { to: run[0] as Point },
        { to: run.at(-1) as Point, along: sideOf(borders[border] as Ring, run) },
      );
    i = end + 1;
  }
  return steps;
}

/** Which way round the border the run goes. */
function sideOf(border: Ring, run: readonly Point[]): 'shorter' | 'longer' {
  const [from, to] = [run[0] as Point, run.at(-1) as Point];
  const meant = lengthOf(run);
  const off = (side: 'shorter' | 'longer') =>
    Math.abs(lengthOf(pointsOf(traceBorder(border, from, to, side))) - meant);
  return off('shorter') <= off('longer') ? 'shorter' : 'longer';
}

const lengthOf = (path: readonly Point[]): number =>
  path.reduce((sum, [x, y], i) => {
    const [fromX, fromY] = path[i - 1] ?? [x, y];
    return sum + Math.hypot(x - fromX, y - fromY);
  }, 0);

function pointsOf(ring: ArrayLike<number>): Point[] {
  return Array.from(
    { length: ring.length / 2 },
    (_, i): Point => [ring[2 * i] as number, ring[2 * i + 1] as number],
  );
}
