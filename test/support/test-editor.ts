import { expect } from 'vitest';
import {
  type ActionId,
  type AnnotationDocument,
  Editor,
  type EditorInput,
  type EditorStart,
  type EditorState,
  type Effect,
  emptyDocument,
  layerMask,
  layerOf,
  redoDepth,
  serialize,
  statePath,
  type ToolId,
  undoDepth,
} from '@/lib/core/editor';
import { area, type Mask, rasterizeShapes, type Shape } from '@/lib/core/mask';
import { englishText } from './english';

type Held = { readonly shift?: boolean; readonly alt?: boolean; readonly mod?: boolean };
type PointerKind = {
  readonly pointer?: 'mouse' | 'pen' | 'touch';
  readonly pointerId?: number;
  readonly button?: number;
};

/** Slow enough that two clicks in a row are not a double click. */
const STEP_MS = 500;

/**
 * Drives an editor like a hand and asserts what happened, without a browser. The camera starts at zoom 1 without
 * pan, so that screen and image coordinates are the same until something moves it.
 */
export class TestEditor {
  readonly editor: Editor;
  readonly effects: Effect[] = [];
  #time = 0;

  constructor(start: Partial<EditorStart> & { height?: number; width?: number; labels?: string[] } = {}) {
    const { height = 100, width = 120, labels = ['wing', 'tail'], ...rest } = start;
    this.editor = new Editor({ document: emptyDocument(height, width, labels), ...rest });
    this.editor.onEffect((effect) => this.effects.push(effect));
  }

  get state(): EditorState {
    return this.editor.state;
  }

  get document(): AnnotationDocument {
    return this.state.document;
  }

  get bytes(): string {
    return serialize(this.document);
  }

  /** The last thing announced. */
  get said(): string {
    const last = this.effects.filter((effect) => effect.kind === 'announce').at(-1);
    return last ? englishText(last.message) : '';
  }

  shapes(label = this.state.label): Shape[] {
    return layerOf(this.document, label)?.shapes.map(({ shape }) => shape) ?? [];
  }

  mask(label = this.state.label): Mask {
    const layer = layerOf(this.document, label);
    if (!layer) throw new Error(`there is no label ${label}`);
    return layerMask(this.document, layer);
  }

  dispatch(input: EditorInput): this {
    this.editor.dispatch(input);
    return this;
  }

  wait(ms: number): this {
    this.#time += ms;
    return this;
  }

  tool(tool: ToolId): this {
    return this.action(`tool-${tool}`);
  }

  label(label: string): this {
    return this.dispatch({ type: 'label', label });
  }

  action(action: ActionId): this {
    return this.dispatch({ type: 'action', action, time: this.#time });
  }

  pointerDown(x: number, y: number, more: Held & PointerKind = {}): this {
    return this.#pointer('pointer-down', x, y, more);
  }

  pointerMove(x: number, y: number, more: Held & PointerKind = {}): this {
    return this.#pointer('pointer-move', x, y, more);
  }

  pointerUp(x: number, y: number, more: Held & PointerKind = {}): this {
    return this.#pointer('pointer-up', x, y, more);
  }

  pointerCancel(x: number, y: number, more: Held & PointerKind = {}): this {
    return this.#pointer('pointer-cancel', x, y, more);
  }

  click(x: number, y: number, more: Held & PointerKind = {}): this {
    this.wait(STEP_MS);
    return this.pointerMove(x, y, more).pointerDown(x, y, more).pointerUp(x, y, more);
  }

  doubleClick(x: number, y: number): this {
    this.click(x, y);
    return this.wait(100).pointerDown(x, y).pointerUp(x, y);
  }

  /** Presses at the first point, goes through the others and releases at the last. */
  drag(points: readonly (readonly [number, number])[], more: Held & PointerKind = {}): this {
    const [first = [0, 0], ...others] = points;
    const last = others.at(-1) ?? first;
    this.wait(STEP_MS).pointerDown(first[0], first[1], more);
    for (const [x, y] of others) this.pointerMove(x, y, more);
    return this.pointerUp(last[0], last[1], more);
  }

  clicks(...points: readonly (readonly [number, number])[]): this {
    for (const [x, y] of points) this.click(x, y);
    return this;
  }

  key(key: string, held: Held = {}): this {
    return this.keyDown(key, held).keyUp(key, held);
  }

  keys(...keys: readonly string[]): this {
    for (const key of keys) this.key(key);
    return this;
  }

  keyDown(key: string, held: Held = {}): this {
    return this.#key('key-down', key, held);
  }

  keyUp(key: string, held: Held = {}): this {
    return this.#key('key-up', key, held);
  }

  undo(times = 1): this {
    for (let i = 0; i < times; i++) this.key('z', { mod: true });
    return this;
  }

  redo(times = 1): this {
    for (let i = 0; i < times; i++) this.key('Z', { mod: true, shift: true });
    return this;
  }

  undoAll(): this {
    return this.undo(undoDepth(this.state.history));
  }

  redoAll(): this {
    return this.redo(redoDepth(this.state.history));
  }

  expectState(path: string): this {
    expect(statePath(this.state)).toBe(path);
    return this;
  }

  expectShapes(count: number, label = this.state.label): this {
    expect(this.shapes(label)).toHaveLength(count);
    return this;
  }

  expectHistory(undo: number, redo = 0): this {
    expect([undoDepth(this.state.history), redoDepth(this.state.history)]).toEqual([undo, redo]);
    return this;
  }

  expectArea(pixels: number, label = this.state.label): this {
    expect(area(this.mask(label))).toBe(pixels);
    return this;
  }

  /** The label's mask is that of these shapes. */
  expectMask(shapes: readonly Shape[], label = this.state.label): this {
    const { height, width } = this.document;
    expect(this.mask(label)).toEqual(rasterizeShapes(shapes, height, width));
    return this;
  }

  expectSaid(text: string | RegExp): this {
    expect(this.said).toMatch(text);
    return this;
  }

  #pointer(
    type: 'pointer-down' | 'pointer-move' | 'pointer-up' | 'pointer-cancel',
    x: number,
    y: number,
    more: Held & PointerKind,
  ): this {
    this.#time += 8;
    return this.dispatch({
      type,
      pointerId: more.pointerId ?? 1,
      pointer: more.pointer ?? 'mouse',
      x,
      y,
      button: more.button ?? 0,
      shift: more.shift ?? false,
      alt: more.alt ?? false,
      time: this.#time,
    });
  }

  #key(type: 'key-down' | 'key-up', key: string, { shift = false, alt = false, mod = false }: Held): this {
    this.#time += 8;
    return this.dispatch({ type, key, shift, alt, mod, time: this.#time });
  }
}

/** A square polygon with corners at (x, y) and (x + side, y + side). */
export function square(x: number, y: number, side: number): [number, number][] {
  return [
    [x, y],
    [x + side, y],
    [x + side, y + side],
    [x, y + side],
  ];
}

/** Two opposite corners of that square, for tools that drag a box. */
export function diagonal(x: number, y: number, side: number): [number, number][] {
  return [
    [x, y],
    [x + side, y + side],
  ];
}
