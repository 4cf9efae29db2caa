import { type RunRecord, rightPerDollar, wrongShare } from '@/lib/demo/simulation/memory/record';
import { arms, bestBaseline, DEFAULT, groupRuns, RIVAL10 } from './experiment-tables';

const SIDE = { width: 260, height: 220, gap: 20, left: 46, top: 30, bottom: 44 };

/** One panel per mix: wrong labels against right labels per dollar, a dot per arm. Down and right is better. */
export function plotExperiment(records: readonly RunRecord[], mixes: readonly number[]): string {
  const panels = mixes.map((mix) => {
    const runs = groupRuns(records, mix);
    const best = bestBaseline(runs);
    const dots = arms.flatMap(({ name }) => {
      const own = [...(runs.get(name)?.values() ?? [])];
      if (own.length === 0) return [];
      const mean = (of: (run: RunRecord) => number) =>
        own.reduce((sum, run) => sum + of(run), 0) / own.length;
      return [{ name, x: mean(rightPerDollar), y: 100 * mean(wrongShare) }];
    });
    return { mix, best, dots };
  });
  const all = panels.flatMap(({ dots }) => dots);
  const range = (of: (dot: (typeof all)[number]) => number, step: number): [number, number] => [
    step * Math.floor(Math.min(...all.map(of)) / step),
    step * Math.ceil(Math.max(...all.map(of)) / step),
  ];
  const [x, y] = [range((dot) => dot.x, 1), range((dot) => dot.y, 5)];
  const { width, height, gap, left, top, bottom } = SIDE;
  const atX = (value: number) => left + ((value - x[0]) / (x[1] - x[0])) * (width - left);
  const atY = (value: number) => top + (1 - (value - y[0]) / (y[1] - y[0])) * (height - top);
  const ticks = ([low, high]: [number, number], step: number) =>
    Array.from({ length: Math.round((high - low) / step) + 1 }, (_, i) => low + i * step);
  const drawn = panels.map(({ mix, best, dots }, i) => {
    const grid = [
      ...ticks(x, 1).map(
        (v) =>
          `<line x1="${atX(v)}" x2="${atX(v)}" y1="${top}" y2="${height}" class="g"/><text x="${atX(v)}" y="${height + 14}" text-anchor="middle">${v}</text>`,
      ),
      ...ticks(y, 5).map(
        (v) =>
          `<line x1="${left}" x2="${width}" y1="${atY(v)}" y2="${atY(v)}" class="g"/><text x="${left - 6}" y="${atY(v) + 4}" text-anchor="end">${v}</text>`,
      ),
    ];
    const kind = (name: string) =>
      name === DEFAULT ? 'd' : name === RIVAL10 ? 'r' : name === best ? 'b' : 'o';
    const marks = dots
      .toSorted((a, b) => Number(kind(a.name) !== 'o') - Number(kind(b.name) !== 'o'))
      .map(({ name, x: right, y: wrong }) => {
        const radius = kind(name) === 'o' ? 3 : 5;
        return `<circle cx="${atX(right).toFixed(1)}" cy="${atY(wrong).toFixed(1)}" r="${radius}" class="${kind(name)}"><title>${name}</title></circle>`;
      });
    return `<g transform="translate(${i * (width + gap)} 0)"><text x="${left}" y="18" class="h">${mix} % bad workers</text>${grid.join('')}${marks.join('')}<text x="${(left + width) / 2}" y="${height + 32}" text-anchor="middle">right labels per dollar</text></g>`;
  });
  const total = mixes.length * (width + gap);
  const legend = `<g transform="translate(${SIDE.left} ${height + bottom + 8})"><circle cx="0" cy="-4" r="5" class="d"/><text x="10">default</text><circle cx="80" cy="-4" r="5" class="r"/><text x="90">RIVAL10</text><circle cx="170" cy="-4" r="5" class="b"/><text x="180">best baseline</text><circle cx="280" cy="-4" r="3" class="o"/><text x="290">other arms. Vertical: wrong labels, %</text></g>`;
  const style =
    'text{font:11px sans-serif;fill:#555}.h{font-size:13px;fill:#222}.g{stroke:#ddd}.d{fill:#0a7}.r{fill:#c33}.b{fill:#36c}.o{fill:#bbb}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height + bottom + 20}" role="img" aria-label="Wrong labels against right labels per dollar"><style>${style}</style><rect width="100%" height="100%" fill="#fff"/>${drawn.join('')}${legend}</svg>\n`;
}
