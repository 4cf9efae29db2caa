'use client';

import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { wholeOrNothing } from '@/lib/services/jobs/whole-or-nothing';

type Props = { id: string; kind: string; title: string; state: string; stopping: boolean };

async function ask(id: string, verb: 'cancel' | 'retry'): Promise<string | undefined> {
  const answer = await fetch(`/api/v1/jobs/${id}/${verb}`, { method: 'POST' }).catch(() => null);
  if (answer?.ok) return undefined;
  const problem = (await answer?.json().catch(() => null)) as { detail?: string } | null | undefined;
  return problem?.detail ?? 'The server did not answer. Try again in a moment.';
}

/** What can be done about a job: stop it while it is active, unless it is one that cannot be; try it again when it failed. */
export function JobActions({ id, kind, title, state, stopping }: Props) {
  const router = useRouter();
  const act = async (verb: 'cancel' | 'retry') => {
    const problem = await ask(id, verb);
    if (!problem) router.refresh();
    return problem;
  };
  if (state === 'failed') {
    return (
      <ConfirmDialog
        trigger={<Button size="small">Retry</Button>}
        title={`Try “${title}” again?`}
        confirm="Try again"
        onConfirm={() => act('retry')}
      >
        The job goes on from what is already done.
      </ConfirmDialog>
    );
  }
  if (!['queued', 'running', 'retrying'].includes(state)) return null;
  const whole = wholeOrNothing(kind);
  if (whole)
    return (
      <span className="text-xs whitespace-nowrap text-ink-3" title={whole}>
        Cannot be cancelled
      </span>
    );
  return (
    <ConfirmDialog
      trigger={
        <Button size="small" pending={stopping}>
          Cancel
        </Button>
      }
      title={`Cancel “${title}”?`}
      confirm="Cancel the job"
      danger
      onConfirm={() => act('cancel')}
    >
      What is already done stays. The rest is not done.
    </ConfirmDialog>
  );
}

/** Milliseconds between two readings of the page, however fast the news come. */
const PAUSE = 1000;

/** Reads the page again while jobs move. */
export function LiveRefresh() {
  const router = useRouter();
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const source = new EventSource('/api/v1/jobs/stream');
    source.onmessage = () => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        router.refresh();
      }, PAUSE);
    };
    return () => {
      source.close();
      clearTimeout(waiting);
    };
  }, [router]);
  return null;
}
