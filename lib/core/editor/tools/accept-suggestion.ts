import type { Shape } from '@/lib/core/mask';
import type { Origin } from '../document/document';
import type { Command } from '../history';
import { editorMessage } from '../messages';

/** The most that an answer can tell, in ms; a tab may have been left open for longer. */
const MOST_MS = 2_147_483_647;

/** How a suggestion came about, in whole milliseconds. */
export function originOf({ shownMs, latencyMs, ...use }: Omit<Origin, 'edited'>): Origin {
  return { ...use, shownMs: whole(shownMs), latencyMs: whole(latencyMs), edited: false };
}

/** A suggestion becomes part of the drawing, as one entry of the history. */
export function acceptSuggestion(
  label: string,
  shapes: readonly Shape[],
  use: Omit<Origin, 'edited'>,
): Command {
  return {
    name: 'accept-suggestion',
    message: editorMessage('suggestionAccepted'),
    edits: [{ kind: 'insert', label, shapes, origin: originOf(use) }],
  };
}

function whole(ms: number): number {
  return Math.min(MOST_MS, Math.max(0, Math.round(ms)));
}
