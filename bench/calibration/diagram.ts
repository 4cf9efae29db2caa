import type { SeriesResult } from '@/lib/demo/simulation/calibration/run';

const PANEL = 150;
const GAP = 34;
const TOP = 34;
const LEFT = 40;

/** Bins with fewer labels than this are drawn hollow: their share of right labels is mostly noise. */
const MIN_LABELS = 50;

/** Draws one reliability diagram per series: claimed confidence to the right, share of right labels upwards. */
export function reliabilityDiagram(results: readonly SeriesResult[], names: Record<string, string>): string {
  const width = LEFT + results.length * (PANEL + GAP);
  const height = TOP + PANEL + 44;
  const panels = results.map((result, i) => panel(result, names, LEFT + i * (PANEL + GAP)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    '<title>Reliability diagrams: share of right labels by claimed confidence</title>',
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function panel(result: SeriesResult, names: Record<string, string>, x: number): string {
  const bottom = TOP + PANEL;
  const at = (confidence: number, right: number) =>
    [x + confidence * PANEL, bottom - right * PANEL].map((value) => value.toFixed(1)) as [string, string];
  const filled = result.bins.flatMap(({ n, confidence, right }) =>
    confidence === null || right === null ? [] : [{ n, point: at(confidence, right) }],
  );
  const ticks = [0, 0.5, 1].map(
    (tick) =>
      `<text x="${x + tick * PANEL}" y="${bottom + 14}" text-anchor="middle" fill="#555">${tick}</text>` +
      `<text x="${x - 6}" y="${bottom - tick * PANEL + 4}" text-anchor="end" fill="#555">${tick}</text>`,
  );
  return [
    `<text x="${x}" y="14" font-weight="bold">${names[result.series] ?? result.series}</text>`,
    `<text x="${x}" y="27" fill="#555">ECE ${result.error.toFixed(3)}, n = ${result.n}</text>`,
    `<rect x="${x}" y="${TOP}" width="${PANEL}" height="${PANEL}" fill="none" stroke="#bbb"/>`,
    `<path d="M${x} ${bottom}L${x + PANEL} ${TOP}" stroke="#bbb" stroke-dasharray="4 3"/>`,
    `<polyline points="${filled.map(({ point }) => point.join(',')).join(' ')}" fill="none" stroke="#2a6fbb" stroke-width="1.5"/>`,
    ...filled.map(
      ({ n, point: [cx, cy] }) =>
        `<circle cx="${cx}" cy="${cy}" r="3" stroke="#2a6fbb" fill="${n < MIN_LABELS ? '#fff' : '#2a6fbb'}"/>`,
    ),
    ...ticks,
    `<text x="${x + PANEL / 2}" y="${bottom + 30}" text-anchor="middle">confidence</text>`,
  ].join('\n');
}
