import { type EditorState, toScreen } from '@/lib/core/editor';

/** Side of the picture and how much larger it is than the view. */
const SIDE = 128;
const FACTOR = 2.5;
/** From the finger to the middle of the picture, in screen pixels: a fingertip hides about 40. */
const DISTANCE = 112;

/** Shows beside a finger what is hidden below it. */
export class Magnifier {
  readonly #canvas = document.createElement('canvas');
  readonly #region: HTMLElement;

  constructor(region: HTMLElement) {
    this.#region = region;
    this.#canvas.setAttribute('aria-hidden', 'true');
    this.#canvas.dataset.magnifier = '';
    this.#canvas.className =
      'pointer-events-none absolute z-10 rounded-full border-2 border-line-strong bg-stage shadow-overlay';
    this.#canvas.style.width = `${SIDE}px`;
    this.#canvas.style.height = `${SIDE}px`;
    this.#canvas.hidden = true;
    region.append(this.#canvas);
  }

  /** `layers` are the canvases of the view, from back to front. */
  paint(state: EditorState, layers: readonly HTMLCanvasElement[], density: number): void {
    const isShown = state.pointerKind === 'touch' && state.press !== undefined && state.pointer !== undefined;
    this.#canvas.hidden = !isShown;
    if (!isShown || !state.pointer) return;
    const [x, y] = toScreen(state.view.camera, state.pointer);
    this.#place(x, y, state.view.viewport.width);
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    const side = Math.round(SIDE * density);
    if (this.#canvas.width !== side) {
      this.#canvas.width = side;
      this.#canvas.height = side;
    }
    context.clearRect(0, 0, side, side);
    for (const layer of layers) {
      const scale = layer.width / Math.max(1, state.view.viewport.width);
      const shown = (SIDE / FACTOR) * scale;
      context.drawImage(layer, x * scale - shown / 2, y * scale - shown / 2, shown, shown, 0, 0, side, side);
    }
    cross(context, side / 2, density);
  }

  dispose(): void {
    this.#canvas.remove();
  }

  /** Above the finger, or beside it near the upper edge. */
  #place(x: number, y: number, width: number): void {
    const isBelowEdge = y - DISTANCE - SIDE / 2 < 0;
    const middle = isBelowEdge ? x + (x < width / 2 ? DISTANCE : -DISTANCE) : x;
    const left = Math.min(width - SIDE - 4, Math.max(4, middle - SIDE / 2));
    const top = Math.max(4, (isBelowEdge ? y : y - DISTANCE) - SIDE / 2);
    this.#canvas.style.transform = `translate(${left}px, ${top}px)`;
    if (this.#canvas.parentElement !== this.#region) this.#region.append(this.#canvas);
  }
}

function cross(context: CanvasRenderingContext2D, middle: number, density: number): void {
  const arm = 8 * density;
  for (const [width, colour] of [
    [3 * density, 'rgb(0 0 0 / 60%)'],
    [1.25 * density, '#ffffff'],
  ] as const) {
    context.beginPath();
    context.moveTo(middle - arm, middle);
    context.lineTo(middle + arm, middle);
    context.moveTo(middle, middle - arm);
    context.lineTo(middle, middle + arm);
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.stroke();
  }
}
