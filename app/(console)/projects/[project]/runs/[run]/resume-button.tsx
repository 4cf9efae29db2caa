'use client';

import { Play } from 'lucide-react';
import { ActionButton } from '@/app/_shell/action-button';
import { resume } from '../actions';

interface Props {
  slug: string;
  runId: string;
  /** Time limit that the run has used up. Resuming doubles it. */
  spentMinutes: number | null;
}

export const ResumeButton = ({ slug, runId, spentMinutes }: Props) => (
  <ActionButton
    icon={<Play aria-hidden />}
    act={() => resume(slug, runId, spentMinutes === null ? undefined : 2 * spentMinutes)}
  >
    {spentMinutes === null ? 'Resume' : `Resume for ${spentMinutes} more minutes`}
  </ActionButton>
);
