import type { AnswerValue } from '@/lib/core/quality/answer';

export interface WrittenGold {
  stageId: string;
  imageId: string;
  target: string;
  value: AnswerValue;
  use: boolean;
}

type Reply = { state: 'active' | 'candidate'; problem?: undefined } | { problem: string };

/** By the API, because a drawing may be larger than a form is meant to be. */
export async function sendGold(slug: string, written: WrittenGold): Promise<Reply> {
  try {
    const response = await fetch(`/api/v1/projects/${slug}/gold`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(written),
    });
    const body = await response.json();
    if (response.ok) return { state: body.state };
    return { problem: body.detail ?? `The server answered ${response.status}.` };
  } catch {
    return { problem: 'The server did not answer. What you made is still here: try again.' };
  }
}
