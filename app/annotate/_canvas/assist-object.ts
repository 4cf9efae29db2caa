import { type ObjectPrompt, outlineShapes } from '@/lib/core/editor';
import { decodeCounts } from '@/lib/core/mask';
import type { Suggestion } from './assist-messages';

const NO_ANSWER = 'The server does not answer. Draw by hand, or try again.';

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
      const { detail } = await response.json().catch(() => ({}));
      return { assist, shapes: [], problem: detail ?? `The server answered ${response.status}.` };
    }
    const { counts, size, model }: Suggested = await response.json();
    return { assist, model, shapes: outlineShapes(decodeCounts(counts, ...size)) };
  } catch {
    return { assist, shapes: [], problem: NO_ANSWER };
  }
}
