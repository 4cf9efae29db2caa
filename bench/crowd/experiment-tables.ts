import { median } from '@/lib/core/quality/score';
import { clopperPearson, type Difference, pairedDifference } from '@/lib/core/statistics/paired';
import {
  type Arm,
  armOf,
  defaultFactors,
  type Factors,
  factorial,
  nameOf,
  rival10Factors,
} from '@/lib/demo/simulation/memory/arm';
import { badKinds, goodKinds } from '@/lib/demo/simulation/memory/people';
import { careersOf, type RunRecord, rightPerDollar, wrongShare } from '@/lib/demo/simulation/memory/record';

const chosen: readonly Factors[] = [
  defaultFactors,
  rival10Factors,
  { ...rival10Factors, asksAgain: true },
  ...(['average-3', 'average-5', 'average-10'] as const).map((rules) => ({
    ...defaultFactors,
    rules,
    confirmation: false,
  })),
];
/** Baselines with more than one answer per item, to see what the default's rules add to that. */
const withOpinion = chosen.map(
  (factors): Factors => ({ ...factors, secondOpinion: true, confirmation: false }),
);
const withConfirmation = chosen.map((factors): Factors => ({ ...factors, confirmation: true }));

export const baselines: readonly Factors[] = factorial.filter(({ rules }) => rules !== 'default');

/** All arms of the experiment, the most important first and none twice. */
export const arms: readonly Arm[] = [
  ...new Map(
    [defaultFactors, ...baselines, ...factorial, ...withConfirmation, ...withOpinion].map((factors) => [
      nameOf(factors),
      armOf(factors),
    ]),
  ).values(),
];

export const DEFAULT = nameOf(defaultFactors);
const RIVAL10 = nameOf(rival10Factors);
const baselineNames = baselines.map(nameOf);

const titleOf = (arm: string): string =>
  arm === RIVAL10 ? `${arm} (RIVAL10)` : arm === DEFAULT ? `**${arm} (default)**` : arm;

const mean = (list: readonly number[]) =>
  list.reduce((sum, value) => sum + value, 0) / Math.max(1, list.length);
const percent = (share: number, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const points = ({ mean: value, low, high }: Difference) =>
  `${signed(100 * value)} (${signed(100 * low)} to ${signed(100 * high)})`;
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(1)}`;

export const markdown = (heading: readonly string[], lines: readonly (readonly string[])[]): string =>
  [heading, heading.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** Runs of one mix, by arm and then by seed. */
type Runs = ReadonlyMap<string, ReadonlyMap<number, RunRecord>>;

function groupRuns(records: readonly RunRecord[], mix: number): Runs {
  const groups = new Map<string, Map<number, RunRecord>>();
  for (const record of records) {
    if (record.mix !== mix) continue;
    const own = groups.get(record.arm) ?? new Map<number, RunRecord>();
    own.set(record.seed, record);
    groups.set(record.arm, own);
  }
  return groups;
}

/** Differences of `of` between two arms over the seeds that both have. */
function compare(runs: Runs, arm: string, other: string, of: (run: RunRecord) => number): Difference {
  const [own, others] = [runs.get(arm), runs.get(other)];
  const differences = [...(own ?? [])].flatMap(([seed, run]) => {
    const beside = others?.get(seed);
    return beside ? [of(run) - of(beside)] : [];
  });
  return pairedDifference(differences);
}

const meanOf = (runs: Runs, arm: string, of: (run: RunRecord) => number): number =>
  mean([...(runs.get(arm)?.values() ?? [])].map(of));

/** Arms with fewer of RIVAL10's seeds than this share are too uncertain to be called the best. */
const ENOUGH_SEEDS = 0.8;

/** The baseline with the fewest wrong labels in this mix. */
function bestBaseline(runs: Runs): string {
  return baselineNames
    .filter((name) => (runs.get(name)?.size ?? 0) >= ENOUGH_SEEDS * (runs.get(RIVAL10)?.size ?? 1))
    .reduce(
      (best, name) => (meanOf(runs, name, wrongShare) < meanOf(runs, best, wrongShare) ? name : best),
      RIVAL10,
    );
}

type Verdict = {
  mix: number;
  seeds: number;
  best: string;
  wrong: { default: number; best: number; rival10: number };
  versusBest: Difference;
  versusRival10: Difference;
  /** Right labels per dollar of the default divided by those of the best baseline. */
  ratio: { mean: number; low: number; high: number };
  isReached: boolean;
};

/** The acceptance criterion of the experiment in one mix. */
export function verdictOf(records: readonly RunRecord[], mix: number): Verdict {
  const runs = groupRuns(records, mix);
  const best = bestBaseline(runs);
  const versusBest = compare(runs, DEFAULT, best, wrongShare);
  const versusRival10 = compare(runs, DEFAULT, RIVAL10, wrongShare);
  const logs = compare(runs, DEFAULT, best, (run) => Math.log(rightPerDollar(run)));
  const ratio = { mean: Math.exp(logs.mean), low: Math.exp(logs.low), high: Math.exp(logs.high) };
  const isBetter = versusBest.high < 0;
  const isClose = versusBest.mean <= 0.01 && ratio.mean >= 1.1;
  return {
    mix,
    seeds: versusBest.n,
    best,
    wrong: {
      default: meanOf(runs, DEFAULT, wrongShare),
      best: meanOf(runs, best, wrongShare),
      rival10: meanOf(runs, RIVAL10, wrongShare),
    },
    versusBest,
    versusRival10,
    ratio,
    // Worse than RIVAL10 means: the whole interval is.
    isReached: (isBetter || isClose) && versusRival10.low <= 0,
  };
}

export function verdictTable(records: readonly RunRecord[], mixes: readonly number[]): string {
  const heading = [
    'bad workers',
    'seeds',
    'RIVAL10',
    'best baseline',
    'default',
    'default − RIVAL10, points',
    'default − best, points',
    'right labels per $, default ÷ best',
    'reached',
  ];
  const compared = mixes.filter((mix) => verdictOf(records, mix).seeds > 1);
  const lines = compared.map((mix) => {
    const { seeds, best, wrong, versusBest, versusRival10, ratio, isReached } = verdictOf(records, mix);
    return [
      `${mix} %`,
      String(seeds),
      percent(wrong.rival10),
      `${percent(wrong.best)} (${best})`,
      percent(wrong.default),
      points(versusRival10),
      points(versusBest),
      `${ratio.mean.toFixed(2)} (${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})`,
      isReached ? 'yes' : 'no',
    ];
  });
  return markdown(heading, lines);
}

/** Wrong labels and right labels per dollar of every arm. */
export function armTable(records: readonly RunRecord[], mixes: readonly number[]): string {
  const groups = mixes.map((mix) => groupRuns(records, mix));
  const heading = ['arm', ...mixes.map((mix) => `${mix} % bad: wrong, right per $ (seeds)`)];
  const lines = arms
    .filter(({ name }) => groups.some((runs) => runs.has(name)))
    .map(({ name }) => [
      titleOf(name),
      ...groups.map((runs) =>
        runs.has(name)
          ? `${percent(meanOf(runs, name, wrongShare))}, ${meanOf(runs, name, rightPerDollar).toFixed(2)} (${runs.get(name)?.size})`
          : '–',
      ),
    ]);
  return markdown(heading, lines);
}

/** Careers of good workers that were stopped, with the exact interval. */
export function falseStopTable(records: readonly RunRecord[]): string {
  const lines = [
    RIVAL10,
    nameOf({ ...defaultFactors, rules: 'average-3', confirmation: false }),
    DEFAULT,
  ].flatMap((arm) =>
    goodKinds.flatMap((kind) => {
      const { n, stoppedAfter } = careersOf(
        records.filter((record) => record.arm === arm),
        kind,
      );
      if (n === 0) return [];
      const { low, high } = clopperPearson(stoppedAfter.length, n);
      const share = percent(stoppedAfter.length / n, 2);
      return [
        [
          titleOf(arm),
          kind,
          `${stoppedAfter.length} of ${n}`,
          share,
          `${percent(low, 2)} to ${percent(high, 2)}`,
        ],
      ];
    }),
  );
  return markdown(
    ['arm', 'good workers', 'stopped careers', 'share', '95 % interval (Clopper–Pearson)'],
    lines,
  );
}

/** By kind of bad worker: who was stopped, after how many items, and the wrong labels that they caused. */
export function kindTable(records: readonly RunRecord[]): string {
  const cells = (arm: string, kind: (typeof badKinds)[number]) => {
    const own = records.filter((record) => record.arm === arm);
    const { n, stoppedAfter } = careersOf(own, kind);
    const labels = own.reduce((sum, run) => sum + run.labels, 0);
    const wrong = own.reduce((sum, run) => sum + (run.wrongBy[kind] ?? 0), 0);
    return [
      n > 0 ? `${stoppedAfter.length} of ${n}` : '–',
      String(median(stoppedAfter) ?? '–'),
      labels > 0 ? percent(wrong / labels, 2) : '–',
    ];
  };
  const heading = [
    'kind',
    ...['RIVAL10', 'default'].flatMap((name) => [`${name}: stopped`, 'median items', 'wrong labels caused']),
  ];
  const lines = badKinds.map((kind) => [kind, ...cells(RIVAL10, kind), ...cells(DEFAULT, kind)]);
  return markdown(heading, lines);
}

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
