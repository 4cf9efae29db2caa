/** Inter at 11 px is about 6 px wide per character; a little more, for fonts that stand in for it. */
const characterWidth = 6.3;

export const textWidth = (text: string) => text.length * characterWidth;

/** Room for the longest label, up to a limit. */
export const labelSpace = (labels: string[], limit: number) =>
  Math.min(limit, Math.max(0, ...labels.map(textWidth)) + 8);

export function shorten(text: string, space: number): string {
  // A text that was given exactly its own width fits, whatever the last bit of the quotient says.
  const fits = Math.max(1, Math.floor(space / characterWidth + 1e-6));
  return text.length <= fits ? text : `${text.slice(0, fits - 1)}…`;
}
