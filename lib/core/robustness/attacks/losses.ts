/** How far the true class is ahead of the best other; an attack has won at 0 and below. */
export function margin(logits: ArrayLike<number>, truth: number): number {
  let other = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) if (i !== truth) other = Math.max(other, logits[i] as number);
  return (logits[truth] as number) - other;
}

/** Cross entropy of the true class. */
export function crossEntropy(logits: ArrayLike<number>, truth: number): number {
  const most = Math.max(...Array.from(logits));
  let sum = 0;
  for (let i = 0; i < logits.length; i++) sum += Math.exp((logits[i] as number) - most);
  return Math.log(sum) + most - (logits[truth] as number);
}

/** Difference of logits ratio: does not change when the logits are scaled. Needs three classes. */
export function dlr(logits: ArrayLike<number>, truth: number): number {
  const sorted = Array.from(logits).sort((a, b) => b - a);
  const [first, , third] = sorted as [number, number, number];
  return -margin(logits, truth) / (first - third + TINY);
}

/** The same towards one class. Needs four classes. */
export function targetedDlr(logits: ArrayLike<number>, truth: number, target: number): number {
  const [first, , third, fourth] = Array.from(logits).sort((a, b) => b - a) as [
    number,
    number,
    number,
    number,
  ];
  const ahead = (logits[truth] as number) - (logits[target] as number);
  return -ahead / (first - (third + fourth) / 2 + TINY);
}

/** As in the public code, so that equal logits give a number. */
const TINY = 1e-12;
