'use client';

import { Play } from 'lucide-react';
import { ActButton } from '../../data/[version]/act-button';
import { resume } from './actions';

export const ResumeButton = ({ slug, runId }: { slug: string; runId: string }) => (
  <ActButton icon={<Play aria-hidden />} act={() => resume(slug, runId)}>
    Resume
  </ActButton>
);
