import type Konva from 'konva';
import { type Editor, type EditorState, previewOf, type ShapeId, statePath, toolOf } from '@/lib/core/editor';
import type { Ring } from '@/lib/core/geometry';
import type { ImagePyramid } from './paint/image-pyramid';
import { paintInstanceNumbers } from './paint/instance-numbers';
import { instanceStyle, type LabelStyle } from './paint/label-style';
import { LivePicture } from './paint/live-picture';
import { Magnifier } from './paint/magnifier';
import { paintObject } from './paint/paint-object';
import { liftedBy, sameIds, sceneOf } from './paint/scene';
import { StaticPicture } from './paint/static-picture';
import { toneFilterOf } from './tone-filter';

type Looks = {
  readonly styleOf: (label: string) => LabelStyle;
  readonly objectOf?: (label: string) => readonly Ring[];
};

export type Layers = {
  readonly image: Konva.Layer;
  readonly shapes: Konva.Layer;
  readonly live: Konva.Layer;
};

/**
 * Paints what changed, once per frame and outside of React: the image when the camera moves, the finished shapes
 * when they or the camera change, the gesture always.
 */
export class FramePainter {
  readonly #editor: Editor;
  readonly #image: ImagePyramid;
  readonly #styleOf: Looks['styleOf'];
  readonly #objectOf: NonNullable<Looks['objectOf']>;
  readonly #region: HTMLElement;
  readonly #static = new StaticPicture(() => this.#schedule(true));
  readonly #live = new LivePicture();
  readonly #magnifier: Magnifier;
  readonly #stop: () => void;
  #layers: Layers | undefined;
  #last: EditorState | undefined;
  #lifted: ReadonlySet<ShapeId> = new Set();
  #requested = 0;
  #isStale = true;

  constructor(
    editor: Editor,
    image: ImagePyramid,
    { styleOf, objectOf = () => [] }: Looks,
    region: HTMLElement,
  ) {
    this.#editor = editor;
    this.#image = image;
    this.#styleOf = styleOf;
    this.#objectOf = objectOf;
    this.#region = region;
    this.#magnifier = new Magnifier(region);
    this.#stop = editor.subscribe(() => this.#schedule(false));
  }

  attach(layers: Layers): void {
    this.#layers = layers;
    this.#last = undefined;
    this.#schedule(true);
  }

  paintImage(context: CanvasRenderingContext2D): void {
    const { view, document } = this.#shown();
    this.#image.paint(context, view.camera, document, density());
  }

  paintShapes(context: CanvasRenderingContext2D): void {
    const state = this.#shown();
    const scene = sceneOf(state, this.#lifted, this.#styleOf, density());
    const { outlineOnly, opacity } = state.view;
    this.#static.paint(context, scene, outlineOnly ? 0 : opacity, () => performance.now());
  }

  paintLive(context: CanvasRenderingContext2D): void {
    const state = this.#shown();
    const style = instanceStyle(this.#styleOf(state.label), state.instance);
    if (!state.view.showBefore) {
      paintObject(context, state.view.camera, this.#objectOf(state.label));
      paintInstanceNumbers(context, state);
    }
    this.#live.paint(context, state, previewOf(state), style, density());
  }

  dispose(): void {
    this.#stop();
    cancelAnimationFrame(this.#requested);
    this.#static.dispose();
    this.#magnifier.dispose();
  }

  /**
   * The state with its picture moved to whole canvas pixels: painted canvases are then copied and not resampled,
   * which without a graphics card takes a tenth of the time. Nobody sees the half pixel.
   */
  #shown(): EditorState {
    const { state } = this.#editor;
    const { camera } = state.view;
    const whole = (pan: number) => Math.round(pan * density()) / density();
    const view = { ...state.view, camera: { ...camera, panX: whole(camera.panX), panY: whole(camera.panY) } };
    return { ...state, view };
  }

  #schedule(isStale: boolean): void {
    this.#isStale ||= isStale;
    if (this.#requested !== 0) return;
    this.#requested = requestAnimationFrame(() => {
      this.#requested = 0;
      this.#frame();
    });
  }

  #frame(): void {
    const { state } = this.#editor;
    const last = this.#last;
    const layers = this.#layers;
    if (!layers) return;
    this.#last = state;
    const isStale = this.#isStale;
    this.#isStale = false;
    const isOtherView = !last || last.view !== state.view;
    if (isOtherView) {
      layers.image.getNativeCanvasElement().style.filter = toneFilterOf(state.view.tone);
      layers.image.draw();
    }
    const lifted = liftedBy(previewOf(state));
    const isSameLift = sameIds(lifted, this.#lifted);
    this.#lifted = lifted;
    if (isOtherView || isStale || !isSameLift || last.document !== state.document) layers.shapes.draw();
    layers.live.draw();
    const canvases = [layers.image, layers.shapes, layers.live].map((layer) =>
      layer.getNativeCanvasElement(),
    );
    this.#magnifier.paint(state, canvases, density());
    this.#tell(state);
  }

  /** For assistive tools, for tests, and for whoever looks: where the editor stands. */
  #tell(state: EditorState): void {
    const { camera } = state.view;
    const shapes = state.document.layers.find(({ label }) => label === state.label)?.shapes.length ?? 0;
    Object.assign(this.#region.dataset, {
      state: statePath(state),
      zoom: String(camera.zoom),
      panX: String(camera.panX),
      panY: String(camera.panY),
      shapes: String(shapes),
      instance: String(state.instance),
    });
    this.#region.style.cursor =
      state.panning || state.held.has('hold-pan') ? 'grab' : toolOf(state.tool).cursor;
  }
}

function density(): number {
  return window.devicePixelRatio || 1;
}
