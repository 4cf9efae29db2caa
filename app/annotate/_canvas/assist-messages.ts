import type { EdgeCosts, Scribble, Size } from '@/lib/annotator';
import type { Shape } from '@/lib/mask';

/** To the worker. The image comes first; its edges are the answer to it. */
export type AssistQuestion =
  | { readonly kind: 'image'; readonly image: ImageBitmap; readonly size: Size }
  | { readonly kind: 'region'; readonly request: number; readonly scribbles: readonly Scribble[] };

export type AssistReply =
  | { readonly kind: 'edges'; readonly edges: EdgeCosts }
  | { readonly kind: 'region'; readonly request: number; readonly shapes: readonly Shape[] };
