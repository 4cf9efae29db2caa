'use client';

import { Play } from 'lucide-react';
import { ActionButton } from '@/app/_shell/action-button';
import { resume } from '../actions';

interface Props {
  slug: string;
  runId: string;
  /** What the run was given and has used up: it goes on with twice as many. */
  spentMinutes: number | null;
}

export const ResumeButton = ({ slug, runId, spentMinutes }: Props) => (
  <ActionButton
    icon={<Play aria-hidden />}
    act={() => resume(slug, runId, spentMinutes === null ? undefined : 2 * spentMinutes)}
  >
    {spentMinutes === null ? 'Resume' : `Resume for ${spentMinutes} min more`}
  </ActionButton>
);
