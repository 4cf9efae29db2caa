import { useState } from 'react';
import { rejectKeys } from '@/app/_ui/use-key-queue';
import type { OutboxDriver } from '@/lib/annotator';
import type { AnswerValue } from '@/lib/quality/answer';
import { postAnswer, Refused } from './api';
import type { LocalStore } from './local-store';
import type { Activity } from './use-activity';

/** How long a draft that is on its way may take before the answer is sent anyway, in ms. */
const WAIT_MS = 5000;
const STEP_MS = 25;

export type Submitting = {
  readonly isPending: boolean;
  readonly problem: string | undefined;
  readonly isSignedOut: boolean;
  readonly submit: (value: AnswerValue) => Promise<void>;
  readonly clear: () => void;
};

type SubmitStart = {
  readonly lease: string;
  readonly store: LocalStore;
  readonly activity: Activity;
  readonly outbox: OutboxDriver | undefined;
  /** `isOver`: the batch has ended with it, as an exam may that is decided early. */
  readonly onDone: (value: AnswerValue, isOver: boolean) => void;
};

/** Sends an answer, once, however often it is tried. */
export function useSubmit({ lease, store, activity, outbox, onDone }: SubmitStart): Submitting {
  const [state, setState] = useState({ isPending: false, isSignedOut: false, problem: '' });
  const submit = async (value: AnswerValue) => {
    setState({ isPending: true, isSignedOut: false, problem: '' });
    try {
      const progress = activity.progress();
      const { answerId, activeMs } = progress;
      await store.write('progress', lease, progress).catch(() => undefined);
      await draftIsThere(outbox);
      const { isOver } = await postAnswer(lease, {
        id: answerId,
        value,
        activeMs,
        ...activity.evidence(),
      });
      // The answer holds it all; what could not be sent as a draft is not needed any more.
      await Promise.allSettled(
        (['work', 'gestures', 'progress'] as const).map((table) => store.remove(table, lease)),
      );
      setState({ isPending: false, isSignedOut: false, problem: '' });
      onDone(value, isOver);
    } catch (error) {
      // They were meant for the next item.
      rejectKeys();
      const isSignedOut = error instanceof Refused && error.isSignedOut;
      const problem =
        error instanceof Refused
          ? error.message
          : 'The server does not answer. Your work is kept; try again.';
      setState({ isPending: false, isSignedOut, problem: isSignedOut ? '' : problem });
    }
  };
  return {
    isPending: state.isPending,
    isSignedOut: state.isSignedOut,
    problem: state.problem || undefined,
    submit,
    clear: () => setState({ isPending: false, isSignedOut: false, problem: '' }),
  };
}

/** A draft that arrives after the answer would be refused. */
async function draftIsThere(outbox: OutboxDriver | undefined): Promise<void> {
  outbox?.flush();
  for (let waited = 0; outbox?.state.isOnItsWay && waited < WAIT_MS; waited += STEP_MS)
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
}
