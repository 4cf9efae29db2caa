/** The class with the highest share of each attribute, the first of equals. Unanswered images do not count. */
export function typicalClasses(
  images: Iterable<{ classIndex: number; attributes: readonly string[] | null }>,
): Map<string, number> {
  const asked = new Map<number, number>();
  const marked = new Map<string, Map<number, number>>();
  for (const { classIndex, attributes } of images) {
    if (attributes === null) continue;
    asked.set(classIndex, (asked.get(classIndex) ?? 0) + 1);
    for (const attribute of new Set(attributes)) {
      const counts = marked.get(attribute) ?? new Map<number, number>();
      marked.set(attribute, counts);
      counts.set(classIndex, (counts.get(classIndex) ?? 0) + 1);
    }
  }
  const typical = new Map<string, number>();
  for (const [attribute, counts] of marked) {
    const shares = [...counts].map(([at, count]) => ({ at, share: count / (asked.get(at) as number) }));
    const [max] = shares.sort((a, b) => b.share - a.share || a.at - b.at);
    if (max) typical.set(attribute, max.at);
  }
  return typical;
}
