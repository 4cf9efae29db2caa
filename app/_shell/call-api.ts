type Request = { json?: unknown; body?: Blob; signal?: AbortSignal };

/** Tries of a request that met a dead line or a busy server; sending the same file twice does no harm. */
const TRIES = 4;

/** Calls our own API; a refusal becomes an error with the server's words. */
export async function callApi<Answer>(
  method: string,
  address: string,
  { json, body, signal }: Request = {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(address, {
      method,
      body: json === undefined ? body : JSON.stringify(json),
      headers: json === undefined ? {} : { 'content-type': 'application/json' },
      signal,
    }).catch((error) => {
      if (signal?.aborted || attempt === TRIES) throw error;
      return null;
    });
    if (answer?.ok) return answer.json();
    const isBusy = !answer || answer.status === 429 || answer.status >= 502;
    if (answer && (!isBusy || attempt === TRIES)) {
      const problem = await answer.json().catch(() => null);
      throw new Error(problem?.detail ?? `The server answered ${answer.status}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, attempt * 1000));
  }
}
