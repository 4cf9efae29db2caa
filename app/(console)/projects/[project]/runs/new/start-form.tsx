'use client';

import { Gauge, Play } from 'lucide-react';
import { useActionState } from 'react';
import { ActionButton } from '@/app/_shell/action-button';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { ActionForm, Checkbox, FormError } from '@/app/_ui/forms';
import { SubmitButton } from '@/app/_ui/submit-button';
import type { NewRun } from '@/lib/services/training/runs/start-run';
import { measure, start } from '../actions';

interface Props {
  slug: string;
  run: NewRun;
  /** How many it becomes. */
  runs: number;
  /** The preset is made for GPUs and there are none: what somebody has to agree to. */
  confirm: string | null;
  refused: boolean;
}

/** The button that starts exactly what the page shows. */
export function StartForm({ slug, run, runs, confirm, refused }: Props) {
  const [state, action] = useActionState(start.bind(null, slug, run), {});
  return (
    <ActionForm action={action} className="flex flex-col items-start gap-3">
      {confirm && (
        <Checkbox name="confirmed" required label="Train it on processors all the same" hint={confirm} />
      )}
      <FormError>{state.error}</FormError>
      <SubmitButton icon={<Play aria-hidden />} disabled={refused}>
        {runs > 1 ? `Start ${runs} runs` : 'Start run'}
      </SubmitButton>
    </ActionForm>
  );
}

/** Trains on noise for a minute, so that the estimate is of this machine. */
export const MeasureButton = ({
  slug,
  preset,
  isAtIt,
}: {
  slug: string;
  preset: string;
  isAtIt: boolean;
}) => (
  <>
    <RefreshWhile active={isAtIt} />
    <ActionButton icon={<Gauge aria-hidden />} disabled={isAtIt} act={() => measure(slug, preset)}>
      {isAtIt ? 'Measuring, about a minute' : 'Measure this machine'}
    </ActionButton>
  </>
);
