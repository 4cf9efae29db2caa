import Link from 'next/link';
import { cn } from '@/app/_ui/cn';
import { StatStrip } from '@/app/_ui/stat';
import { domainOf } from '@/lib/core/charts';
import { formatNumber } from '@/lib/core/format';
import type { PairedDifference } from '@/lib/core/robustness/report/paired-differences';
import type { Finding } from '@/lib/core/robustness/report/report';
import { suites } from '@/lib/core/robustness/suites';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';
import {
  differenceEnds,
  differenceText,
  findingText,
  headlineMetrics,
  intervalText,
  valueText,
} from '../finding-text';

interface Props {
  evaluation: EvaluationView;
  /** All of the project, newest first. */
  others: readonly EvaluationView[];
  /** Differences from the baseline on the same images; null without a baseline. */
  differences: readonly PairedDifference[] | null;
}

/** Maximum number of evaluations in a sparkline. */
const LOOKED_BACK = 12;

const of = (view: EvaluationView, id: string) => view.metrics?.findings.find((finding) => finding.id === id);

export function Strip({ evaluation, others, differences }: Props) {
  const { suite, options } = evaluation;
  // Same suite, preset and split, any model and version.
  const past = others
    .filter(
      (other) =>
        other.suite === suite &&
        other.options.preset === options.preset &&
        other.options.split === options.split &&
        other.at <= evaluation.at,
    )
    .slice(0, LOOKED_BACK)
    .reverse();
  return (
    <StatStrip eight>
      {headlineMetrics.map(([id, label, better, own]) => {
        const finding = of(evaluation, id);
        return (
          <HeadlineNumber
            key={id}
            label={label}
            finding={finding}
            better={better}
            past={past.flatMap((view) => of(view, id)?.value ?? [])}
            difference={differences?.find((each) => each.id === id)}
            missing={finding?.value == null ? whyMissing(evaluation, own) : null}
          />
        );
      })}
    </StatStrip>
  );
}

interface NumberProps {
  label: string;
  finding: Finding | undefined;
  better: 'more' | 'less';
  past: number[];
  difference: PairedDifference | undefined;
  missing: string | null;
}

function HeadlineNumber({ label, finding, better, past, difference, missing }: NumberProps) {
  const ends = finding && intervalText(finding);
  return (
    <div className={cn('flex min-w-28 flex-col gap-0.5 tabular-nums', missing && 'bg-sunken')}>
      <dt className="text-xs text-ink-3">{label}</dt>
      {missing || !finding ? (
        <dd className="text-xs text-ink-3">{missing}</dd>
      ) : (
        <>
          <dd className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-xl font-semibold tracking-tight">{findingText(finding)}</span>
            {ends && <span className="text-xs whitespace-nowrap text-ink-2">{ends}</span>}
          </dd>
          <dd className="flex items-center gap-2 text-xs text-ink-3">
            <span>n = {formatNumber(finding.n)}</span>
            <Sparkline
              values={past}
              label={`${label} over ${past.length} evaluations: ${past.map((value) => valueText(value, finding.unit)).join(', ')}`}
            />
          </dd>
          {difference && <Difference {...difference} better={better} />}
        </>
      )}
    </div>
  );
}

/** Coloured only if the interval excludes 0. */
function Difference({ better, ...difference }: PairedDifference) {
  const { low, high, unit } = difference;
  const isSure = low !== null && high !== null && (low > 0 || high < 0);
  const isBetter = difference.difference > 0 === (better === 'more');
  return (
    <dd className={cn('text-xs text-ink-2', isSure && (isBetter ? 'text-good' : 'text-bad'))}>
      {differenceText(difference.difference, unit)}
      <span className="block text-2xs text-ink-3">{differenceEnds(difference)}</span>
      {isSure && <span className="sr-only">{isBetter ? 'better' : 'worse'}</span>}
    </dd>
  );
}

function whyMissing({ suite, metrics }: EvaluationView, own: string | null): string {
  if (own && suite !== 'all' && suite !== own) return `Not part of suite ${suite}.`;
  const name = suites.find(({ id }) => id === own)?.name;
  const left = metrics?.left.find((each) => each.suite === name);
  return left ? `Skipped. ${left.why}` : 'Not available for these images. See the reasons below.';
}

const [WIDTH, HEIGHT] = [72, 18];

/** Values over previous evaluations; the last is the current one. */
function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return null;
  const [low, high] = domainOf([...values]);
  const at = (value: number, i: number): [number, number] => [
    2 + ((WIDTH - 4) * i) / (values.length - 1),
    HEIGHT - 2 - ((HEIGHT - 4) * (value - low)) / (high - low || 1),
  ];
  const places = values.map(at);
  const [x, y] = places.at(-1) ?? [0, 0];
  return (
    <svg
      role="img"
      aria-label={label}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="overflow-visible"
    >
      <title>{label}</title>
      <path
        d={`M${places.map((place) => place.join(' ')).join('L')}`}
        fill="none"
        stroke="var(--color-ink-3)"
      />
      <circle cx={x} cy={y} r={2.5} fill="var(--color-accent)" />
    </svg>
  );
}

interface BaselineLineProps {
  evaluation: EvaluationView;
  baseline: EvaluationView | undefined;
  /** Others that can be compared. */
  others: readonly EvaluationView[];
  path: string;
  home: string;
}

/** The baseline of the differences, with links to other baselines. */
export function BaselineLine({ evaluation, baseline, others, path, home }: BaselineLineProps) {
  if (!baseline)
    return (
      <p className="text-xs text-ink-3">
        Evaluate another model on the same version with the same settings to see differences here.
      </p>
    );
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-2">
      <span>Differences from {baseline.model}, paired by image (95 % intervals).</span>
      <Link
        href={`${home}/evaluations/compare?a=${baseline.id}&b=${evaluation.id}`}
        className="text-accent underline underline-offset-2"
      >
        Compare both
      </Link>
      {others
        .filter(({ id }) => id !== baseline.id)
        .slice(0, 6)
        .map(({ id, model }) => (
          <Link key={id} href={`${path}?baseline=${id}`} className="underline underline-offset-2">
            from {model}
          </Link>
        ))}
    </p>
  );
}
