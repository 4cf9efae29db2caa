import type { Share } from '@/lib/core/quality/interval';
import type { ComparedStage, Side } from '@/lib/services/curation/overview/compare-workers';

export interface Measure {
  stage: string;
  name: string;
  sides: readonly [Share | null, Share | null];
}

const figures: { name: string; of: (side: Side) => Share | null }[] = [
  { name: 'Checks passed', of: ({ trust }) => trust?.passRate ?? null },
  { name: 'Precision', of: ({ trust }) => trust?.precision ?? null },
  { name: 'Recall', of: ({ trust }) => trust?.recall ?? null },
  { name: 'Mean IoU', of: ({ trust }) => trust?.iou ?? null },
];

/** Every figure that at least one of the two has, stage by stage. */
export const measuresOf = (stages: readonly ComparedStage[]): Measure[] =>
  stages.flatMap(({ stage, sides: [a, b] }) =>
    figures
      .map(({ name, of }): Measure => ({ stage: stage.name, name, sides: [of(a), of(b)] }))
      .filter(({ sides }) => sides.some((side) => side !== null)),
  );

/** Who is better, said only where the two 95 % intervals do not meet. */
export function betterOf([a, b]: Measure['sides']): 0 | 1 | null {
  if (!a || !b) return null;
  if (a.low > b.high) return 0;
  return b.low > a.high ? 1 : null;
}
