import { type ActionId, type Editor, shortcuts } from '@/lib/core/editor';
import type { Point } from '@/lib/core/geometry';

/**
 * Operators of the keystroke-level model in seconds (Card, Moran and Newell, CACM 23(7), 1980): to hit a key of a
 * keyboard 0.28 (an average typist), to point 1.1, to press or release a button 0.1, to prepare mentally 1.35. A chord
 * counts as its keys. A notch of a wheel counts as a key. The other hand rests on the keyboard, so nobody homes.
 */
export const OPERATORS = { key: 0.28, point: 1.1, button: 0.1, think: 1.35 } as const;

/** From one item to the next possible stroke, in seconds: docs/annotator.md#speed. */
export const NEXT_ITEM_SECONDS = 0.071;

export interface Effort {
  keys: number;
  points: number;
  buttons: number;
  thinks: number;
  /** The page's part. */
  waits: number;
}

export const secondsOf = ({ keys, points, buttons, thinks, waits }: Effort): number =>
  keys * OPERATORS.key +
  points * OPERATORS.point +
  buttons * OPERATORS.button +
  thinks * OPERATORS.think +
  waits * NEXT_ITEM_SECONDS;

/** What a hand does: a click is one action, and so is a key. */
export const actionsOf = ({ keys, buttons }: Effort): number => keys + buttons / 2;

/** How far from where it was meant a click lands at most, in screen pixels, in both directions. */
const MISS = 1.5;
const STEP_MS = 500;

/** Works an editor by what a person can do, and counts it. */
export class Hand {
  readonly effort: Effort = { keys: 0, points: 0, buttons: 0, thinks: 0, waits: 0 };
  editor: Editor;
  #time = 0;

  constructor(editor: Editor) {
    this.editor = editor;
  }

  think(): void {
    this.effort.thinks++;
  }

  wait(): void {
    this.effort.waits++;
  }

  /** Presses the first key of a shortcut. */
  press(action: ActionId): void {
    this.#key(action, 'key-down');
    this.#key(action, 'key-up');
    this.effort.keys += keyOf(action).split('+').length;
  }

  hold(action: ActionId): void {
    this.#key(action, 'key-down');
    this.effort.keys++;
  }

  release(action: ActionId): void {
    this.#key(action, 'key-up');
  }

  click(place: Point, shift = false): void {
    const [x, y] = this.#landing(place);
    this.#time += STEP_MS;
    for (const type of ['pointer-move', 'pointer-down', 'pointer-up'] as const)
      this.editor.dispatch({
        type,
        x,
        y,
        pointerId: 1,
        pointer: 'mouse',
        button: 0,
        shift,
        time: this.#time,
      });
    this.effort.points++;
    this.effort.buttons += 2;
    if (shift) this.effort.keys++;
  }

  /** Zooms in at a place, notch by notch. */
  wheel(place: Point, notches: number): void {
    const [x, y] = this.#onScreen(place);
    for (let i = 0; i < notches; i++)
      this.editor.dispatch({ type: 'wheel', x, y, dx: 0, dy: -100, shift: false, mod: false });
    this.effort.points++;
    this.effort.keys += notches;
  }

  #key(action: ActionId, type: 'key-down' | 'key-up'): void {
    const parts = keyOf(action).split('+');
    const key = parts.at(-1) ?? '';
    const mod = parts.includes('Mod');
    const shift = parts.includes('Shift');
    const alt = parts.includes('Alt');
    this.editor.dispatch({ type, key, mod, shift, alt, time: this.#time });
  }

  #onScreen([x, y]: Point): Point {
    const { zoom, panX, panY } = this.editor.state.view.camera;
    return [x * zoom + panX, y * zoom + panY];
  }

  /** The same place is always missed alike, so that both ways of working have the same hand. */
  #landing(place: Point): Point {
    const [x, y] = this.#onScreen(place);
    return [x + MISS * unsteadiness(place, 1), y + MISS * unsteadiness(place, 2)];
  }
}

function keyOf(action: ActionId): string {
  const key = shortcuts.find(({ id }) => id === action)?.keys[0];
  if (!key) throw new Error(`${action} has no key.`);
  return key;
}

/** −1 … 1, from the place alone (a common hash for shaders; only its scatter matters). */
function unsteadiness([x, y]: Point, axis: number): number {
  const wild = Math.sin(x * 12.9898 + y * 78.233 + axis * 37.719) * 43758.5453;
  return 2 * (wild - Math.floor(wild)) - 1;
}
