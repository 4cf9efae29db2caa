import { createHash } from 'node:crypto';

/** The same list has the same id, so that two tabs, or two curators, cannot pay it twice. */
export function bonusIdOf(
  projectId: string,
  lines: readonly { workerId: string; amountMicro: string }[],
): string {
  const text = JSON.stringify([projectId, lines.map((line) => [line.workerId, line.amountMicro]).sort()]);
  const hex = createHash('sha256').update(text).digest('hex');
  // UUID version 8 (RFC 9562), derived from the content.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
