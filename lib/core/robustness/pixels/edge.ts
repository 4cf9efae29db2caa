/** A place beyond the edge, reflected into 0 … n − 1; the pixel at the edge is there twice (… b a | a b …). */
export function mirrored(at: number, n: number): number {
  const period = 2 * n;
  const within = ((at % period) + period) % period;
  return within < n ? within : period - 1 - within;
}

/** The same for a place between pixels, whose centres are at whole numbers. */
export function mirroredBetween(at: number, n: number): number {
  const period = 2 * n;
  const within = (((at + 0.5) % period) + period) % period;
  return (within < n ? within : period - within) - 0.5;
}
