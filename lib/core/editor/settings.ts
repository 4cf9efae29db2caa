import { z } from 'zod';
import type { LabelFlag } from '@/lib/core/schema';
import type { EditorStart, EditorState } from './editor/state';
import { type ToolId, tools } from './tools';

/** What a person or a project chooses about drawing; unlike the view it changes what a gesture does. */
export type EditorSettings = {
  /** Of brush and eraser, in image pixels. */
  readonly brushRadius: number;
  readonly snapping: boolean;
  /** In screen pixels, so that it does not grow with the zoom. */
  readonly snapRadius: number;
  /** The project's rule that a new shape leaves the pixels of other labels alone. */
  readonly subtractOthers: boolean;
  /** What the schema asks besides the mask. */
  readonly flags: readonly LabelFlag[];
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
  flags: [],
  confirmsNothing: false,
  readOnly: false,
};

export function withBrushRadius(settings: EditorSettings, radius: number): EditorSettings {
  const brushRadius = Math.min(MAX_BRUSH_RADIUS, Math.max(MIN_BRUSH_RADIUS, Math.round(radius * 4) / 4));
  return { ...settings, brushRadius };
}

const toolIds = tools.map(({ id }) => id) as [ToolId, ...ToolId[]];

/** Tool and view settings of a person. Every field is optional: a setting that was never changed has its default. */
export const WorkspaceSettings = z.object({
  tool: z.enum(toolIds).optional().catch(undefined),
  brushRadius: z.number().min(MIN_BRUSH_RADIUS).max(MAX_BRUSH_RADIUS).optional().catch(undefined),
  snapping: z.boolean().optional().catch(undefined),
  opacity: z.number().min(0).max(1).optional().catch(undefined),
  outlineOnly: z.boolean().optional().catch(undefined),
  crosshair: z.boolean().optional().catch(undefined),
  tone: z
    .object({ brightness: z.number(), contrast: z.number(), gamma: z.number() })
    .optional()
    .catch(undefined),
  isPanelOpen: z.boolean().optional().catch(undefined),
});
export type WorkspaceSettings = z.output<typeof WorkspaceSettings>;

/** What an editor starts with. Camera and hidden labels belong to one image and are not remembered. */
export function editorStart(settings: WorkspaceSettings): Pick<EditorStart, 'tool' | 'view' | 'settings'> {
  const { tool, brushRadius, snapping, opacity, outlineOnly, crosshair, tone } = settings;
  return {
    ...(tool && { tool }),
    view: present({ opacity, outlineOnly, crosshair, tone }),
    settings: present({ brushRadius, snapping }),
  };
}

/** The settings that an editor's state shows. */
export function settingsOf({ tool, view, settings }: EditorState): WorkspaceSettings {
  const { opacity, outlineOnly, crosshair, tone } = view;
  const { brushRadius, snapping } = settings;
  return { tool, opacity, outlineOnly, crosshair, tone, brushRadius, snapping };
}

function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
