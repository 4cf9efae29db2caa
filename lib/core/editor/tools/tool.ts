import type { Box, Path, Point, Ring } from '@/lib/core/geometry';
import type { Shape, ShapeOp } from '@/lib/core/mask';
import type { AssistKind } from '@/lib/core/quality/answer';
import { type AnnotationDocument, type LabelLayer, layerOf, type ShapeId } from '../document/document';
import { instanceLayer } from '../document/instances';
import type { Command } from '../history';
import type { EdgeCosts } from '../livewire/edge-costs';
import type { EditorMessage } from '../messages';
import type { Selection, VertexRef } from '../selection';
import type { EditorSettings } from '../settings';
import type { Camera } from '../view/camera';
import type { ViewState } from '../view/view';

/** A state of a tool's machine. Every tool rests in `idle`, and the editor can bring it there from anywhere. */
export type ToolState = { readonly name: string };

export type PointInput = {
  readonly type: 'down' | 'move' | 'up';
  /** In image pixels, not snapped. */
  readonly point: Point;
  /** In screen pixels. */
  readonly screen: Point;
  readonly shift: boolean;
  /** Pressed with Alt or with the right button: for tools that take it, the opposite of a press. */
  readonly opposite?: boolean;
  /** 2 for the second press of a double click. */
  readonly clicks: number;
  /** Milliseconds from any fixed moment. */
  readonly time: number;
};

/** What an assist answered to the request of that number. */
export type SuggestionInput = {
  readonly type: 'suggestion';
  readonly request: number;
  readonly assist: AssistKind;
  /** Name and version of the trained model, if one was asked. */
  readonly model?: string;
  readonly shapes: readonly Shape[];
  /** Why there are no shapes, for the person. */
  readonly problem?: EditorMessage;
  readonly time: number;
};

export type ToolInput =
  | PointInput
  | SuggestionInput
  /** Enter. */
  | { readonly type: 'confirm'; readonly time: number }
  /** The object that the picture is about, wherever it is; or what the project's model takes for what is asked. */
  | { readonly type: 'main-object' | 'model-outline'; readonly time: number }
  /** Backspace: the last vertex. */
  | { readonly type: 'back' }
  | { readonly type: 'undo' }
  | { readonly type: 'redo' };

export type ToolContext = {
  readonly document: AnnotationDocument;
  readonly view: ViewState;
  readonly settings: EditorSettings;
  /** The label being drawn. */
  readonly label: string;
  /** The instance of the label being drawn: new shapes belong to it, and erasing changes no other. */
  readonly instance: number;
  /** What a person calls it. */
  readonly labelName: string;
  readonly selection: Selection;
  /** Off while its key is held. */
  readonly snapping: boolean;
  /** On while its key is held: follow a neighbour's border. */
  readonly tracing: boolean;
  /** For the smart outline, once the page has computed them. */
  readonly edges: EdgeCosts | undefined;
  /** How far from a handle a press still takes it, in screen pixels: more for a finger than for a mouse. */
  readonly reach: number;
  /** A finger is on the image: it shakes more than a mouse, and hides what it points at. */
  readonly isTouch: boolean;
};

export type Scribble = { readonly points: Path; readonly op: ShapeOp };

export type PromptPoint = { readonly x: number; readonly y: number; readonly include: boolean };

/** What a person shows of an object to a trained model, in image pixels. */
export type ObjectPrompt =
  | { readonly kind: 'point'; readonly points: readonly PromptPoint[] }
  | { readonly kind: 'box'; readonly box: Box; readonly points: readonly PromptPoint[] }
  | { readonly kind: 'main-object' | 'model-outline' };

/** A question to an assist that runs outside, in a web worker or on the server. */
export type AssistRequest = { readonly request: number } & (
  | { readonly kind: 'region'; readonly scribbles: readonly Scribble[] }
  | { readonly kind: 'object'; readonly prompt: ObjectPrompt }
);

export type Outcome<S extends ToolState = ToolState> = {
  readonly state: S;
  readonly command?: Command;
  readonly selection?: Selection;
  readonly camera?: Camera;
  readonly announce?: EditorMessage;
  /** What is announced says that nothing was done. */
  readonly isRefused?: true;
  readonly ask?: AssistRequest;
};

/** What to draw for an unfinished gesture. */
export type Preview =
  | {
      readonly kind: 'outline';
      readonly op: ShapeOp;
      readonly points: Path;
      readonly next: Path;
      /** Where it runs across itself. */
      readonly crossing?: Point;
    }
  | { readonly kind: 'ring'; readonly op: ShapeOp; readonly ring: Ring }
  | { readonly kind: 'stroke'; readonly op: ShapeOp; readonly points: Path; readonly radius: number }
  | { readonly kind: 'line'; readonly from: Point; readonly to: Point }
  | { readonly kind: 'box'; readonly box: Box }
  | { readonly kind: 'moved'; readonly ids: readonly ShapeId[]; readonly dx: number; readonly dy: number }
  | {
      readonly kind: 'replaced';
      readonly id: ShapeId;
      readonly shape: Shape;
      readonly vertices: readonly VertexRef[];
      readonly crossing?: Point;
    }
  | { readonly kind: 'suggested'; readonly shapes: readonly Shape[] };

export type Tool<S extends ToolState = ToolState> = {
  /** Its name and its hint are `tools.<id>` in the catalogues. */
  readonly id: string;
  readonly key: string;
  /** What the pointer looks like, as a CSS cursor. */
  readonly cursor: string;
  /** Changes what the current label covers, so that a lock or a foreign hand must stop it at the first press. */
  readonly draws: boolean;
  /** By keyboard a click tool takes Enter as a click; a drag tool takes it as pressing and, again, releasing. */
  readonly press: 'click' | 'drag';
  /** Takes presses with Alt or the right button, as opposites. */
  readonly takesOpposite?: true;
  readonly idle: S;
  on(state: S, input: ToolInput, context: ToolContext): Outcome<S>;
  preview(state: S, context: ToolContext): readonly Preview[];
  /** The points of an unfinished outline, to be stored with a draft … */
  unfinished?(state: S): Path | undefined;
  /** … and the state that goes on from them. */
  resume?(points: Path, context: ToolContext): S;
};

/** A tool in the registry: its own kind of state is nobody else's business. */
export type RegisteredTool<Id extends string = string> = Tool & { readonly id: Id };

export function defineTool<const Id extends string, S extends ToolState>(
  tool: Tool<S> & { readonly id: Id },
): RegisteredTool<Id> {
  // The editor only ever hands a tool the states that this tool returned.
  return tool as unknown as RegisteredTool<Id>;
}

/** Movement of the hand that still is a click, in screen pixels. */
const CLICK_SLOP = 4;
const TOUCH_SLOP = 8;

export function isDrag(from: Point, to: Point, context: ToolContext): boolean {
  const slop = context.isTouch ? TOUCH_SLOP : CLICK_SLOP;
  return Math.hypot(to[0] - from[0], to[1] - from[1]) * context.view.camera.zoom > slop;
}

/** What is drawn of the current instance of the current label. */
export function drawnLayer({ document, label, instance }: ToolContext): LabelLayer | undefined {
  const layer = layerOf(document, label);
  return layer && instanceLayer(layer, instance);
}

/** Screen pixels as image pixels. */
export function screenPixels(pixels: number, context: ToolContext): number {
  return pixels / context.view.camera.zoom;
}
