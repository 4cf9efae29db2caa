import type { AssistRequest, EdgeCosts, EditorMessage, Size } from '@/lib/core/editor';
import type { Shape } from '@/lib/core/mask';
import type { AssistKind } from '@/lib/core/quality/answer';

/** To the worker. The image comes first; its edges are the answer to it. `id` tells questions apart for good. */
export type AssistQuestion =
  | {
      readonly kind: 'image';
      readonly image: ImageBitmap;
      readonly size: Size;
    }
  | {
      readonly kind: 'ask';
      readonly id: number;
      readonly request: AssistRequest;
      /** Where the server answers questions about objects of this item. */
      readonly address: string;
      /** The server has a model for scribbles; otherwise the region grows in the browser. */
      readonly takesScribbles: boolean;
    };

export type AssistReply =
  | { readonly kind: 'edges'; readonly edges: EdgeCosts }
  | ({ readonly kind: 'suggestion'; readonly id: number; readonly request: number } & Suggestion);

export type Suggestion = {
  readonly assist: AssistKind;
  readonly model?: string;
  readonly shapes: readonly Shape[];
  /** Why there are none. */
  readonly problem?: EditorMessage;
};
