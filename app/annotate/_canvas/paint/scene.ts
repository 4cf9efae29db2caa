import {
  type AnnotationDocument,
  type Camera,
  type EditorState,
  isVisible,
  type LabelLayer,
  type Preview,
  type ShapeId,
  type Size,
} from '@/lib/core/editor';
import type { LabelStyle } from './label-style';
import { isHeavy } from './trace';

/** What the layer of finished shapes shows. */
export type Scene = {
  readonly document: AnnotationDocument;
  readonly camera: Camera;
  readonly viewport: Size;
  readonly layers: readonly LabelLayer[];
  /** Being dragged: drawn live instead. */
  readonly lifted: ReadonlySet<ShapeId>;
  readonly outlineOnly: boolean;
  /** The label that is being drawn: the others are muted. Null mutes none. */
  readonly active: string | null;
  readonly styleOf: (label: string) => LabelStyle;
  /** Canvas pixels per screen pixel. */
  readonly density: number;
};

const noneLifted: ReadonlySet<ShapeId> = new Set();

export function liftedBy(previews: readonly Preview[]): ReadonlySet<ShapeId> {
  const ids = previews.flatMap((preview) => {
    if (preview.kind === 'moved') return [...preview.ids];
    // A heavy shape stays as it is painted: only the edges that move are drawn live.
    return preview.kind === 'replaced' && !isHeavy(preview.shape) ? [preview.id] : [];
  });
  return ids.length === 0 ? noneLifted : new Set(ids);
}

export function sceneOf(
  { document, view }: EditorState,
  lifted: ReadonlySet<ShapeId>,
  styleOf: (label: string) => LabelStyle,
  density: number,
): Scene {
  return {
    document,
    camera: view.camera,
    viewport: view.viewport,
    layers: document.layers.filter(({ label, shapes }) => shapes.length > 0 && isVisible(view, label)),
    lifted,
    outlineOnly: view.outlineOnly,
    active: view.active,
    styleOf,
    density,
  };
}

export const isMuted = ({ active }: Scene, label: string): boolean => active !== null && active !== label;

export function sameIds(a: ReadonlySet<ShapeId>, b: ReadonlySet<ShapeId>): boolean {
  return a === b || (a.size === b.size && [...a].every((id) => b.has(id)));
}
