import { Stat, StatStrip } from '@/app/_ui/stat';
import { boardKey } from '@/lib/evaluate/leaderboard';
import type { EvaluationView } from '@/lib/evaluate/list-evaluations';
import type { Finding } from '@/lib/evaluation/report/report';
import { eight } from '../eight';
import { findingText, intervalText } from '../finding-text';

export function Strip({ evaluation, others }: { evaluation: EvaluationView; others: EvaluationView[] }) {
  const before = others.find(
    (other) =>
      other.id !== evaluation.id &&
      other.modelId !== evaluation.modelId &&
      other.at < evaluation.at &&
      other.state === 'done' &&
      boardKey(other) === boardKey(evaluation),
  );
  const of = (view: EvaluationView | undefined, id: string) =>
    view?.metrics?.findings.find((finding) => finding.id === id);
  return (
    <StatStrip eight>
      {eight.map(([id, label, better]) => {
        const finding = of(evaluation, id);
        return (
          <Stat
            key={id}
            label={label}
            value={findingText(finding)}
            interval={finding && intervalText(finding)}
            n={finding?.n}
            trend={trendOf(finding, of(before, id), before?.model, better)}
          />
        );
      })}
    </StatStrip>
  );
}

function trendOf(
  finding: Finding | undefined,
  other: Finding | undefined,
  model: string | undefined,
  better: 'more' | 'less',
) {
  if (typeof finding?.value !== 'number' || typeof other?.value !== 'number' || !model) return undefined;
  const isNumber = finding.unit === 'number';
  return {
    difference: (finding.value - other.value) * (isNumber ? 1 : 100),
    digits: isNumber ? 2 : 1,
    unit: isNumber ? '' : ' points',
    since: `comparison with ${model}`,
    better,
  };
}
