import Link from 'next/link';
import type { EvaluationView } from '@/lib/services/evaluations/list-evaluations';

interface Props {
  evaluation: EvaluationView;
  baseline: EvaluationView | undefined;
  /** Others that can be compared. */
  others: readonly EvaluationView[];
  path: string;
  home: string;
}

/** What the differences of the strip are differences to, and what else they could be. */
export function BaselineLine({ evaluation, baseline, others, path, home }: Props) {
  if (!baseline)
    return (
      <p className="text-xs text-ink-3">
        Evaluate another model on the same version with the same settings, and differences stand here.
      </p>
    );
  return (
    <p className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-ink-2">
      <span>Differences are to {baseline.model}, on the same images and the same draws (paired, 95 %).</span>
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
            to {model}
          </Link>
        ))}
    </p>
  );
}
