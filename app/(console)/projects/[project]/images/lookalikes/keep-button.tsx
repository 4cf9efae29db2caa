'use client';

import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { keep } from '../actions';
import { useOutcome } from '../use-change';

/** Of its group this image stays in use; the others are excluded, which the grid can undo. */
export function KeepButton({ slug, imageId, name }: { slug: string; imageId: string; name: string }) {
  const [pending, startTransition] = useTransition();
  const told = useOutcome();
  const act = () =>
    startTransition(async () => {
      const state = await keep(slug, imageId);
      if (state.error) toast.error(state.error);
      else await told({ kind: 'state', state: 'excluded' }, state);
    });
  return (
    <Button size="small" pending={pending} aria-label={`Keep ${name} only`} onClick={act}>
      Keep this one
    </Button>
  );
}
