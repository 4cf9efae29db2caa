'use client';

import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { formatNumber } from '@/lib/core/format';
import { showEachOther } from './actions';

interface Props {
  slug: string;
  ids: string[];
  cost: { pictures: number; runs: number };
}

export const ShowButton = ({ slug, ids, cost: { pictures, runs } }: Props) => (
  <ConfirmDialog
    title="Show the models each other’s pictures?"
    confirm="Show them"
    onConfirm={() => showEachOther({ slug, ids })}
    trigger={<Button size="small">Show the models each other’s pictures</Button>}
  >
    For each of {ids.length} models {formatNumber(pictures)} pictures are made again, as its evaluation made
    them, and shown to the {ids.length === 2 ? 'other' : `${ids.length - 1} others`}: at most{' '}
    {formatNumber(runs)} runs of the models, and the oracle beside them. What is known is not asked again.
  </ConfirmDialog>
);
