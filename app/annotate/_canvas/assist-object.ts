import {
  type EditorMessage,
  editorMessage,
  type ObjectPrompt,
  outlineShapes,
  type Scribble,
} from '@/lib/core/editor';
import { decodeCounts } from '@/lib/core/mask';
import type { AssistKind } from '@/lib/core/quality/answer';
import type { Suggestion } from './assist-messages';

type Suggested = { counts: string; size: [number, number]; model: string };

/** Asks the server what a model takes for the object. Never fails: a problem is an answer too. */
export const askForObject = (address: string, prompt: ObjectPrompt): Promise<Suggestion> =>
  askServer(address, prompt.kind, prompt);

/** The server takes this many numbers per stroke; a hand that scribbles for longer loses every other point. */
const MAX_PATH = 4000;

export function askForScribbles(address: string, scribbles: readonly Scribble[]): Promise<Suggestion> {
  const strokes = scribbles
    .slice(-32)
    .map(({ points, op }) => ({ path: thinned(Array.from(points)), include: op === 'add' }));
  return askServer(address, 'scribble', { kind: 'scribble', strokes });
}

function thinned(path: readonly number[]): readonly number[] {
  return path.length <= MAX_PATH ? path : thinned(path.filter((_, i) => i % 4 < 2));
}

async function askServer(address: string, assist: AssistKind, prompt: object): Promise<Suggestion> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(prompt),
    });
    if (!response.ok) {
      const problem = assistProblem(await response.json().catch(() => ({})));
      return { assist, shapes: [], problem };
    }
    const { counts, size, model }: Suggested = await response.json();
    return { assist, model, shapes: outlineShapes(decodeCounts(counts, ...size)) };
  } catch {
    return { assist, shapes: [], problem: editorMessage('noServer') };
  }
}

const codes = ['smartBusy', 'smartFailed', 'smartUnavailable', 'noModelOutline'] as const;

/** Why the server has no suggestion, by the code of its answer. */
export function assistProblem({ more }: { more?: { code?: unknown } }): EditorMessage {
  return editorMessage(codes.find((code) => code === more?.code) ?? 'smartFailed');
}
