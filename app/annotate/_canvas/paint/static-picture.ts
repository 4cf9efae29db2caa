import { documentVertices, type LabelLayer } from '@/lib/core/editor';
import { Buffer } from './buffer';
import { isPolygonsOnly, paintLayer, paintPolygon } from './paint-layer';
import { type Scene, sameIds } from './scene';

/** Work of one frame when painting anew, in ms: the rest of 16.7 ms is for the image and the gesture. */
const SLICE_MS = 6;
/** Up to so many vertices a picture is painted at once, so that a finished gesture never blinks. */
const AT_ONCE = 10_000;
/** The camera must rest this long before a new zoom is painted sharply, in ms. */
const SETTLE_MS = 90;

/**
 * The finished shapes, painted once and shown again while nothing about them changes. Panning and zooming move
 * the painted canvases; painting anew is spread over frames, so that thousands of shapes never hold one up.
 */
export class StaticPicture {
  #shown: Buffer | undefined;
  #painted: Scene | undefined;
  #work: { readonly buffer: Buffer; readonly scene: Scene; readonly steps: Generator<void> } | undefined;
  #settle: ReturnType<typeof setTimeout> | undefined;
  readonly #again: () => void;

  /** `again` asks for a further frame. */
  constructor(again: () => void) {
    this.#again = again;
  }

  paint(target: CanvasRenderingContext2D, scene: Scene, opacity: number, now: () => number): void {
    this.#prepare(scene, now);
    this.#shown?.show(target, scene.camera, opacity);
  }

  dispose(): void {
    clearTimeout(this.#settle);
    this.#work = undefined;
    this.#shown = undefined;
  }

  #prepare(scene: Scene, now: () => number): void {
    const newest = this.#work?.scene ?? this.#painted;
    const isOtherPicture = !newest || !samePicture(newest, scene);
    if (isOtherPicture && this.#append(scene)) return;
    if (isOtherPicture) this.#begin(scene);
    else if (!(this.#work?.buffer ?? this.#shown)?.covers(scene.camera)) this.#later(scene);
    this.#goOn(now);
  }

  /** A shape that was just drawn goes on top of the rest. */
  #append(scene: Scene): boolean {
    const { changed, shapes } = appended(this.#painted, scene);
    if (!changed || !shapes || this.#work || !this.#shown) return false;
    for (const drawn of shapes) paintPolygon(this.#shown, scene, drawn, changed.label);
    this.#painted = { ...scene, camera: this.#shown.camera };
    return true;
  }

  #begin(scene: Scene): void {
    clearTimeout(this.#settle);
    this.#settle = undefined;
    const buffer = new Buffer(scene.camera, scene.viewport, scene.density);
    this.#work = { buffer, scene, steps: steps(buffer, scene) };
  }

  #later(scene: Scene): void {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => {
      this.#begin(scene);
      this.#again();
    }, SETTLE_MS);
  }

  #goOn(now: () => number): void {
    const work = this.#work;
    if (!work) return;
    const isSmall = documentVertices(work.scene.document) <= AT_ONCE;
    const until = isSmall ? Number.POSITIVE_INFINITY : now() + SLICE_MS;
    while (now() < until) {
      if (!work.steps.next().done) continue;
      this.#shown = work.buffer;
      this.#painted = work.scene;
      this.#work = undefined;
      return;
    }
    this.#again();
  }
}

function* steps(buffer: Buffer, scene: Scene): Generator<void> {
  for (const layer of scene.layers) yield* paintLayer(buffer, scene, layer);
}

/** Apart from the camera. */
function samePicture(a: Scene, b: Scene): boolean {
  return (
    a.outlineOnly === b.outlineOnly &&
    a.active === b.active &&
    a.density === b.density &&
    a.viewport.width === b.viewport.width &&
    a.viewport.height === b.viewport.height &&
    a.styleOf === b.styleOf &&
    sameIds(a.lifted, b.lifted) &&
    a.layers.length === b.layers.length &&
    a.layers.every((layer, i) => layer.shapes === b.layers[i]?.shapes)
  );
}

/** The one label that only gained added polygons, if that is all the difference. */
function appended(
  before: Scene | undefined,
  after: Scene,
): { changed?: LabelLayer; shapes?: LabelLayer['shapes'] } {
  if (!before || before.layers.length !== after.layers.length) return {};
  const changed = after.layers.filter((layer, i) => layer.shapes !== before.layers[i]?.shapes);
  const [only] = changed;
  if (changed.length !== 1 || !only) return {};
  const known = before.layers.find(({ label }) => label === only.label)?.shapes;
  if (!known || !samePicture({ ...before, layers: after.layers }, after)) return {};
  const isLonger = only.shapes.length > known.length && known.every((drawn, i) => drawn === only.shapes[i]);
  return isLonger && isPolygonsOnly(only.shapes)
    ? { changed: only, shapes: only.shapes.slice(known.length) }
    : {};
}
