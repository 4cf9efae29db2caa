import {
  type SymbolType,
  symbolCircle,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from 'd3-shape';

export type Hatch = 'solid' | 'rising' | 'dots' | 'falling' | 'level' | 'grid';

/** How a series looks. Hatch, dash and symbol differ as the colour does: each is enough on its own. */
export interface SeriesStyle {
  colour: string;
  hatch: Hatch;
  dash: string | undefined;
  symbol: SymbolType;
}

const styles: SeriesStyle[] = [
  { colour: 'var(--color-series-1)', hatch: 'solid', dash: undefined, symbol: symbolCircle },
  { colour: 'var(--color-series-2)', hatch: 'rising', dash: '6 3', symbol: symbolSquare },
  { colour: 'var(--color-series-3)', hatch: 'dots', dash: '2 2', symbol: symbolTriangle },
  { colour: 'var(--color-series-4)', hatch: 'falling', dash: '8 3 2 3', symbol: symbolDiamond },
  { colour: 'var(--color-series-5)', hatch: 'level', dash: '10 4', symbol: symbolStar },
  { colour: 'var(--color-series-6)', hatch: 'grid', dash: '4 2 1 2 1 2', symbol: symbolWye },
];

export const maximumSeries = styles.length;

/** More than six series cannot be told apart: a chart that needs more needs small multiples. */
export function seriesStyle(index: number): SeriesStyle {
  const style = styles[index];
  if (!style) throw new RangeError(`A chart shows at most ${styles.length} series.`);
  return style;
}
