/** After so many queries the share of the picture that is changed at once is halved again. */
const HALVINGS = [10, 50, 200, 500, 1000, 2000, 4000, 6000, 8000];

/** Side of the square that the Square attack tries at a query. */
export function squareSide(query: number, width: number, height: number, first = 0.8): number {
  const halvings = HALVINGS.filter((end) => query > end).length;
  const share = first / 2 ** halvings;
  return Math.min(Math.max(1, Math.round(Math.sqrt(share * width * height))), width, height);
}
