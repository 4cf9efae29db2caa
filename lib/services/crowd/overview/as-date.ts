/** Statements written by hand give moments as text. */
export const asDate = (text: string | null): Date | null => (text === null ? null : new Date(text));
