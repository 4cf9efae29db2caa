'use client';

import { Gauge } from 'lucide-react';
import { RefreshWhile } from '../../agreement/refresh-while';
import { ActButton } from '../../data/[version]/act-button';
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
    <ActButton icon={<Gauge aria-hidden />} disabled={isAtIt} act={() => measure(slug, preset)}>
      {isAtIt ? 'Measuring, about a minute' : 'Measure this machine'}
    </ActButton>
  </>
);
