/** What a person or a project chooses about drawing; unlike the view it changes what a gesture does. */
export type EditorSettings = {
  /** Of brush and eraser, in image pixels. */
  readonly brushRadius: number;
  readonly snapping: boolean;
  /** In screen pixels, so that it does not grow with the zoom. */
  readonly snapRadius: number;
  /** The project's rule that a new shape leaves the pixels of other labels alone. */
  readonly subtractOthers: boolean;
  /** The page asks before "nothing to label" discards a drawing. */
  readonly confirmsNothing: boolean;
  /** Someone else holds the document: look, but do not change. */
  readonly readOnly: boolean;
};

export const MIN_BRUSH_RADIUS = 0.5;
export const MAX_BRUSH_RADIUS = 500;

export const defaultSettings: EditorSettings = {
  brushRadius: 10,
  snapping: true,
  snapRadius: 8,
  subtractOthers: false,
  confirmsNothing: false,
  readOnly: false,
};

export function withBrushRadius(settings: EditorSettings, radius: number): EditorSettings {
  const brushRadius = Math.min(MAX_BRUSH_RADIUS, Math.max(MIN_BRUSH_RADIUS, Math.round(radius * 4) / 4));
  return { ...settings, brushRadius };
}
