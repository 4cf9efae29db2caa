import type { Path } from '@/lib/core/geometry';
import type { AnnotationDocument, LabelLayer } from '../document/document';
import type { Command } from '../history';
import type { KeyChoices, KeyPress } from '../key-press';
import type { EdgeCosts } from '../livewire/edge-costs';
import type { EditorMessage } from '../messages';
import type { Selection } from '../selection';
import type { EditorSettings } from '../settings';
import type { ActionId } from '../shortcuts';
import type { ToolId } from '../tools';
import type { AssistRequest, SuggestionInput } from '../tools/tool';
import type { ViewState } from '../view/view';

/** Times are milliseconds from any fixed moment that do not run backwards, such as an event's timeStamp. */
export type PointerInput = {
  readonly type: 'pointer-down' | 'pointer-move' | 'pointer-up' | 'pointer-cancel';
  readonly pointerId: number;
  readonly pointer: 'mouse' | 'pen' | 'touch';
  /** In screen pixels from the canvas corner, or in image pixels if `space` says so. */
  readonly x: number;
  readonly y: number;
  readonly space?: 'screen' | 'image';
  /** 0 left, 1 middle, 2 right, as a PointerEvent has it. */
  readonly button: number;
  readonly shift: boolean;
  readonly alt?: boolean;
  readonly time: number;
  /** The coalesced places since the last event, as flat x, y pairs, this one not included. */
  readonly trail?: Path;
};

export type WheelInput = {
  readonly type: 'wheel';
  readonly x: number;
  readonly y: number;
  /** In screen pixels. */
  readonly dx: number;
  readonly dy: number;
  readonly shift: boolean;
  /** Also what a trackpad's pinch sends. */
  readonly mod: boolean;
};

/** For browsers that report a pinch by itself: around a screen point, with a shift of that point. */
export type PinchInput = {
  readonly type: 'pinch';
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly factor: number;
};

export type KeyInput = KeyPress & { readonly type: 'key-down' | 'key-up'; readonly time: number };

export type EditorInput =
  | PointerInput
  | WheelInput
  | PinchInput
  | KeyInput
  | SuggestionInput
  /** The window lost the keyboard: no key is held any more. */
  | { readonly type: 'blur' }
  /** A button; it does what its shortcut does. */
  | {
      readonly type: 'action';
      readonly action: ActionId;
      readonly time: number;
      /** The person was asked and agreed. */
      readonly isConfirmed?: boolean;
    }
  | { readonly type: 'label'; readonly label: string }
  /** Draws on another instance of the current label from now on. */
  | { readonly type: 'instance'; readonly instance: number }
  | { readonly type: 'select'; readonly selection: Selection }
  | { readonly type: 'view'; readonly view: Partial<ViewState> }
  | { readonly type: 'settings'; readonly settings: Partial<EditorSettings> }
  | { readonly type: 'keys'; readonly choices: KeyChoices }
  | { readonly type: 'edges'; readonly edges: EdgeCosts | undefined }
  /** An unfinished outline from a stored draft, of the current label unless another one is named. */
  | { readonly type: 'resume'; readonly tool: ToolId; readonly points: Path; readonly label?: string }
  /** Another version of one label takes the place of this one, with a new history. */
  | { readonly type: 'adopt'; readonly layer: LabelLayer }
  /** Another document takes the place of this one, with a new history. */
  | { readonly type: 'open'; readonly document: AnnotationDocument };

export type Effect =
  /** For the live region and the hint bar; `refused` says that nothing was done. */
  | { readonly kind: 'announce'; readonly message: EditorMessage; readonly refused: boolean }
  /** The document changed: store it. */
  | {
      readonly kind: 'commit';
      readonly way: 'do' | 'undo' | 'redo';
      readonly command: Command;
      readonly document: AnnotationDocument;
    }
  | { readonly kind: 'ask'; readonly request: AssistRequest }
  /** Something that the page does, such as submitting. */
  | { readonly kind: 'action'; readonly action: ActionId };
