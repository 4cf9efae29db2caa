'use client';

import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { toast } from '@/app/_ui/toasts';
import { decideGold } from './actions';

type Next = 'active' | 'excluded' | 'retired';

const words: Record<Next, string> = { active: 'Use it', excluded: 'Never use', retired: 'Retire' };
const next: Record<string, Next[]> = {
  candidate: ['active', 'excluded'],
  active: ['retired'],
  retired: ['active'],
  excluded: ['active'],
};

/** Actions of a curator on a gold item. Each can be reverted by another action. */
export function GoldButtons({ slug, id, state }: { slug: string; id: string; state: string }) {
  const [pending, startTransition] = useTransition();
  const decide = (to: Next) =>
    startTransition(async () => {
      const { error } = await decideGold(slug, { goldId: id, state: to });
      if (error) toast.error(error);
    });
  return (
    <span className="inline-flex gap-1">
      {(next[state] ?? []).map((to) => (
        <Button key={to} size="small" variant="quiet" pending={pending} onClick={() => decide(to)}>
          {words[to]}
        </Button>
      ))}
    </span>
  );
}
