'use client';

import { useTransition } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { toast } from '@/app/_ui/toasts';
import { actOnRun, buildConsensus } from './actions';

interface BuildProps {
  slug: string;
  stageId: string;
  method: string;
  /** "about 1 200 of 26 000 labels". */
  extent: string;
}

export function BuildButton({ slug, stageId, method, extent }: BuildProps) {
  return (
    <ConfirmDialog
      trigger={<Button variant="primary">Build consensus</Button>}
      title="Build this consensus?"
      confirm="Build consensus"
      onConfirm={async () => {
        const { error } = await buildConsensus(slug, { stageId, method });
        if (!error) toast.success('The consensus is being built. The list below shows how far it is.');
        return error;
      }}
    >
      It makes a new label for every settled item with two answers or more; {extent} would say something else
      than now. Answers stay as they are, labels that a person corrected or accepted stay, and the whole run
      can be taken back.
    </ConfirmDialog>
  );
}

export function TakeBackButton({ slug, runId, labels }: { slug: string; runId: string; labels: string }) {
  return (
    <ConfirmDialog
      trigger={
        <Button size="small" variant="quiet">
          Take back
        </Button>
      }
      title="Take this run back?"
      confirm="Take back"
      onConfirm={async () => (await actOnRun(slug, runId, 'take-back')).error}
    >
      The labels that were current before it are current again, {labels} in all. Labels that somebody has
      corrected since stay corrected. The labels of the run stay in the history of their images.
    </ConfirmDialog>
  );
}

export function ResumeButton({ slug, runId }: { slug: string; runId: string }) {
  const [pending, startTransition] = useTransition();
  const resume = () =>
    startTransition(async () => {
      const { error } = await actOnRun(slug, runId, 'resume');
      if (error) toast.error(error);
    });
  return (
    <Button size="small" variant="quiet" pending={pending} onClick={resume}>
      Carry on
    </Button>
  );
}
