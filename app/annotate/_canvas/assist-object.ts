import { type EditorMessage, editorMessage, type ObjectPrompt, outlineShapes } from '@/lib/core/editor';
import { decodeCounts } from '@/lib/core/mask';
import type { Suggestion } from './assist-messages';

type Suggested = { counts: string; size: [number, number]; model: string };

/** Asks the server what a model takes for the object. Never fails: a problem is an answer too. */
export async function askForObject(address: string, prompt: ObjectPrompt): Promise<Suggestion> {
  const assist = prompt.kind;
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
