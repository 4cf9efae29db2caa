/** A number, or why there is none: a mean of nothing and the correlation of a constant are no zeros. */
export type Figure = { readonly value: number } | { readonly value: null; readonly reason: string };

export const figure = (value: number): Figure => ({ value });
export const noFigure = (reason: string): Figure => ({ value: null, reason });

/** As many digits as a file needs: two machines that differ in the last bit write the same. */
export const rounded = (value: number, digits = 6): number => Number(value.toFixed(digits));
