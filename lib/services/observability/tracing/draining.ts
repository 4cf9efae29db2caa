const held = globalThis as { tesseraDraining?: AbortController };

function controller(): AbortController {
  held.tesseraDraining ??= new AbortController();
  return held.tesseraDraining;
}

/** From now on this process takes no new work: readiness says so, and streams end, to be opened elsewhere. */
export const beginDraining = (): void => controller().abort();

export const draining = (): AbortSignal => controller().signal;
