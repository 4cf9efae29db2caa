import { formatCount } from '@/lib/core/format';
import type { StudyPlan } from '@/lib/services/training/runs/start-run';

/** More are told by their number. */
const SHOWN = 12;

/** Which combinations the budget lets through. */
export function SweepList({ plan: { planned, trials, left } }: { plan: StudyPlan }) {
  const words = [...new Set(planned.map((run) => run.words))];
  const seeds = planned.length / trials;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        {`${formatCount(trials, 'combination')} × ${formatCount(seeds, 'seed')} = ${formatCount(planned.length, 'run')}, one study.`}
        {left > 0 &&
          ` The budget leaves out ${formatCount(left, 'combination')}, by a draw that does not depend on the outcome.`}
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-2 tabular-nums">
        {words.slice(0, SHOWN).map((each) => (
          <li key={each}>{each}</li>
        ))}
        {words.length > SHOWN && <li>and {words.length - SHOWN} more</li>}
      </ul>
    </div>
  );
}
