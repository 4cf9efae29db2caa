'use client';

import { Gauge } from 'lucide-react';
import { ActionButton } from '@/app/_shell/action-button';
import { RefreshWhile } from '@/app/_shell/refresh-while';
import { measure } from './actions';

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
