/** Probabilities from logits. */
export function softmax(logits: ArrayLike<number>): number[] {
  const list = Array.from(logits);
  const highest = Math.max(...list);
  const powers = list.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, value) => total + value, 0);
  return powers.map((value) => value / sum);
}

/** Entropy in units of the greatest possible: 0 where one class is certain, 1 where all are as likely. */
export function uncertaintyOf(scores: readonly number[]): number {
  if (scores.length < 2) return 0;
  const entropy = scores.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0);
  return Math.min(1, Math.max(0, entropy / Math.log(scores.length)));
}

/** The mean of each channel of a feature map. */
export function pooled(features: ArrayLike<number>, channels: number): number[] {
  const area = features.length / channels;
  return Array.from({ length: channels }, (_, channel) => {
    let sum = 0;
    for (let at = channel * area; at < (channel + 1) * area; at++) sum += features[at] as number;
    return sum / area;
  });
}
