import { type Camera, homeCamera, type Size } from './camera';

/** Shown on the picture only; 0, 1 and 1 leave it as it is. */
export type Tone = { readonly brightness: number; readonly contrast: number; readonly gamma: number };

/** How the image is looked at. Never part of the document: hiding a label cannot lose it. */
export type ViewState = {
  readonly camera: Camera;
  /** Of the canvas, in screen pixels. */
  readonly viewport: Size;
  readonly hidden: ReadonlySet<string>;
  readonly locked: ReadonlySet<string>;
  /** The only label that can be edited; null where every label can. */
  readonly active: string | null;
  /** The only label to show, if any. */
  readonly solo: string | null;
  /** Of the fill, from 0 to 1. */
  readonly opacity: number;
  readonly outlineOnly: boolean;
  readonly crosshair: boolean;
  /** The image alone, as if nothing were drawn. */
  readonly showBefore: boolean;
  readonly tone: Tone;
};

export const neutralTone: Tone = { brightness: 0, contrast: 1, gamma: 1 };

export const defaultView: ViewState = {
  camera: homeCamera,
  viewport: { width: 800, height: 600 },
  hidden: new Set(),
  locked: new Set(),
  active: null,
  solo: null,
  opacity: 0.4,
  outlineOnly: false,
  crosshair: false,
  showBefore: false,
  tone: neutralTone,
};

export function isVisible(view: ViewState, label: string): boolean {
  if (view.showBefore) return false;
  return view.solo === null ? !view.hidden.has(label) : view.solo === label;
}

export function isLocked(view: ViewState, label: string): boolean {
  return view.locked.has(label) || (view.active !== null && view.active !== label);
}

/** Visible and not locked: what a pointer may pick up. */
export function isEditable(view: ViewState, label: string): boolean {
  return isVisible(view, label) && !isLocked(view, label);
}

export function toggleHidden(view: ViewState, label: string): ViewState {
  return { ...view, hidden: toggled(view.hidden, label) };
}

export function toggleLocked(view: ViewState, label: string): ViewState {
  return { ...view, locked: toggled(view.locked, label) };
}

export function toggleSolo(view: ViewState, label: string): ViewState {
  return { ...view, solo: view.solo === label ? null : label };
}

/** Makes sure that a label can be seen, because someone is about to draw it. */
export function reveal(view: ViewState, label: string): ViewState {
  if (isVisible(view, label)) return view;
  const hidden = new Set(view.hidden);
  hidden.delete(label);
  return { ...view, hidden, showBefore: false, solo: view.solo === null ? null : label };
}

export function withOpacity(view: ViewState, opacity: number): ViewState {
  return { ...view, opacity: Math.min(1, Math.max(0, opacity)) };
}

function toggled(set: ReadonlySet<string>, label: string): ReadonlySet<string> {
  const copy = new Set(set);
  if (!copy.delete(label)) copy.add(label);
  return copy;
}
