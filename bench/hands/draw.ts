import { Editor, emptyDocument, fitImage, layerMask, layerOf } from '@/lib/core/editor';
import { nearestEdge, type Point, type Ring, simplifyRing, traceBorder } from '@/lib/core/geometry';
import { boundingBox, iou, type Mask, type Region, rasterizeRegions, toRegions } from '@/lib/core/mask';
import type { Hand } from './hand';
import type { PartsImage } from './images';

/** Of the canvas in a window of 1280 × 800, in screen pixels. */
const VIEWPORT = { width: 937, height: 660 };
/** A part that is shown smaller than this, in screen pixels, is zoomed to. */
const SMALL = 120;
const WHEEL_FACTOR = Math.exp(0.15);
/** What a drawing has to reach. */
const ENOUGH = 0.9;
/** Coarsest first, in image pixels: the fewest vertices that are enough are looked for. */
const TOLERANCES = [32, 24, 16, 12, 8, 6, 4, 3, 2, 1.5, 1, 0.5];

/** How somebody means to draw a part: the vertices of its pieces. */
export type Plan = { readonly outer: readonly Point[]; readonly holes: readonly (readonly Point[])[] }[];

/** The fewest vertices that are enough; the same for both ways of working. */
export function planOf(truth: Mask): Plan {
  const exact = toRegions(truth);
  let regions: Region[] = exact;
  for (const tolerance of TOLERANCES) {
    regions = exact.map((region) => ({
      ...region,
      outer: simplifyRing(region.outer, tolerance),
      holes: region.holes.map((hole) => simplifyRing(hole, tolerance)),
    }));
    // A little more than enough, because the hand shakes.
    if (iou(rasterizeRegions(regions, truth.height, truth.width), truth) >= ENOUGH + 0.02) break;
  }
  return regions.map(({ outer, holes }) => ({ outer: pointsOf(outer), holes: holes.map(pointsOf) }));
}

export function openEditor({ width, height }: PartsImage, labels: readonly string[]): Editor {
  const document = emptyDocument(height, width, labels);
  const camera = fitImage(document, VIEWPORT);
  return new Editor({ document, targets: labels, tool: 'polygon', view: { camera, viewport: VIEWPORT } });
}

/** One part on a page of its own: what came before is not on it, and the image is fitted again. */
export function drawAlone(hand: Hand, image: PartsImage, label: string, plan: Plan): number {
  hand.editor = openEditor(image, [label]);
  hand.wait();
  const overlap = drawPart(hand, image, label, plan, false);
  hand.press('done');
  return overlap;
}

/** A target of an editor that has all of them, chosen by its number. */
export function drawTogether(hand: Hand, image: PartsImage, label: string, plan: Plan): number {
  const number = image.parts.findIndex(({ name }) => name === label) + 1;
  // Beyond nine, and never for the first one, which is chosen already.
  if (number > 9) {
    hand.press('next-target');
    hand.editor.dispatch({ type: 'label', label });
  } else if (number > 1) hand.press(`label-${number as 2}`);
  return drawPart(hand, image, label, plan, true);
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
