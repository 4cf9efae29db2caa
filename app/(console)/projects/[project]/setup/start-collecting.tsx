'use client';

import { Play } from 'lucide-react';
import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { changeState } from '../settings/actions';

/** The end of the set-up: from here on workers receive items. */
export function StartCollecting({ slug }: { slug: string }) {
  const [pending, startTransition] = useTransition();
  const start = () =>
    startTransition(async () => {
      const { error } = await changeState(slug, 'collecting');
      if (error) toast.error(error);
      else toast.success('The project is collecting.');
    });
  return (
    <Button variant="primary" pending={pending} onClick={start} icon={<Play aria-hidden />}>
      Start collecting
    </Button>
  );
}
