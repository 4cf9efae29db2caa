'use client';

import { RefreshCw } from 'lucide-react';
import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { rateAnew } from './actions';

/** Starts a job that recalculates the risk of all labels from the current reliability of their authors. */
export function RateButton({ slug }: { slug: string }) {
  const [pending, startTransition] = useTransition();
  const rate = () =>
    startTransition(async () => {
      const { error } = await rateAnew(slug);
      if (error) toast.error(error);
      else
        toast('The risk of all labels is being recalculated. The queue is reordered when the job is done.');
    });
  return (
    <Button icon={<RefreshCw aria-hidden />} pending={pending} onClick={rate}>
      Recalculate risk
    </Button>
  );
}
