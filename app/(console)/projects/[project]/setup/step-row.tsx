import { ButtonLink } from '@/app/_ui/button';
import { cn } from '@/app/_ui/cn';
import { State } from '@/app/_ui/state';
import type { Tone } from '@/app/_ui/tone';
import type { SetupStep, StepState } from '@/lib/services/curation/setup';

const words: Record<StepState, { tone: Tone; text: string }> = {
  done: { tone: 'good', text: 'done' },
  preset: { tone: 'busy', text: 'preset holds' },
  missing: { tone: 'warn', text: 'to do' },
};

interface StepRowProps {
  number: number;
  step: SetupStep;
  /** Address of the project; null once nothing can be set up any more. */
  home: string | null;
  isNext: boolean;
}

/** One step: what is there, what is missing, and its one action. */
export function StepRow({ number, step, home, isNext }: StepRowProps) {
  const { tone, text } = words[step.state];
  return (
    <li
      aria-current={isNext ? 'step' : undefined}
      className="grid grid-cols-[1.5rem_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-3 aria-[current]:bg-accent-soft/40"
    >
      <span
        aria-hidden
        className={cn(
          'mt-0.5 flex size-6 items-center justify-center rounded-full border text-xs tabular-nums',
          isNext ? 'border-accent-fill bg-accent-fill text-on-fill' : 'border-line text-ink-2',
        )}
      >
        {number}
      </span>
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-3 font-semibold">
          {step.title}
          <State state={text} tone={tone} className="text-xs font-normal text-ink-2" />
        </h2>
        <p>{step.done}</p>
        {step.missing && <p className="text-ink-2">{step.missing}</p>}
      </div>
      {home !== null && (
        <ButtonLink size="small" href={`${home}${step.path}?setup=${step.id}`}>
          {step.action}
        </ButtonLink>
      )}
    </li>
  );
}
