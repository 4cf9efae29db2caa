import { useRef, useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { type AuditApi, type NewVerdict, Refused } from './audit-api';
import { freshId } from './fresh-id';
import type { LabelStore } from './label-store';

export type Mark = { verdict: string; decisionId: string; state: 'sending' | 'done' | 'failed' };
export type Marks = Readonly<Record<string, Mark>>;

type Done = readonly { labelId: string; decisionId: string }[];
export type SimpleVerdict = Exclude<NewVerdict, { verdict: 'corrected' }>;

/**
 * Decisions that were made on this page. They are sent in the background, so that the next label is there at once;
 * one that is refused is told, and the label keeps a mark.
 */
export function useVerdicts(api: AuditApi, store: LabelStore) {
  const [marks, setMarks] = useState<Marks>({});
  const done = useRef<Done[]>([]);
  const sending = useRef(new Map<string, Promise<unknown>>());

  const mark = (labelId: string, change: Mark | undefined) =>
    setMarks(({ [labelId]: _, ...rest }) => (change ? { ...rest, [labelId]: change } : rest));

  /** What somebody else has decided stays undecided here; anything else can be tried again. */
  const fail = (labelId: string, verdict: string, decisionId: string, error: Error) => {
    const isTaken = error instanceof Refused && error.status === 409;
    mark(labelId, isTaken ? { verdict, decisionId, state: 'failed' } : undefined);
    store.forget(labelId);
    toast.error(error.message);
  };

  /** Whether it was stored, once that is known. */
  const decide = (labelId: string, verdict: NewVerdict): Promise<boolean> => {
    const decisionId = freshId();
    mark(labelId, { verdict: verdict.verdict, decisionId, state: 'sending' });
    const sent = api.decide(labelId, decisionId, verdict).then(
      () => {
        mark(labelId, { verdict: verdict.verdict, decisionId, state: 'done' });
        store.forget(labelId);
        return true;
      },
      (error: Error) => {
        done.current = done.current.filter((entry) => entry[0]?.decisionId !== decisionId);
        fail(labelId, verdict.verdict, decisionId, error);
        return false;
      },
    );
    done.current.push([{ labelId, decisionId }]);
    sending.current.set(decisionId, sent);
    return sent;
  };

  const decideMany = async (
    labelIds: readonly string[],
    verdict: Exclude<SimpleVerdict, { verdict: 'sent-back' }>,
  ) => {
    const entries = labelIds.map((labelId) => ({ labelId, id: freshId() }));
    for (const { labelId, id } of entries)
      mark(labelId, { verdict: verdict.verdict, decisionId: id, state: 'sending' });
    try {
      const { items } = await api.decideMany(entries, verdict as { verdict: 'accepted' });
      const stored = items.filter((item) => item.problem === null);
      for (const { labelId, id } of entries) {
        const found = items.find((item) => item.labelId === labelId);
        mark(labelId, {
          verdict: verdict.verdict,
          decisionId: id,
          state: found?.problem === null ? 'done' : 'failed',
        });
        store.forget(labelId);
      }
      done.current.push(stored.map(({ labelId, decisionId }) => ({ labelId, decisionId: decisionId ?? '' })));
      const refused = items.filter((item) => item.problem !== null);
      if (refused[0])
        toast.error(`${refused.length} of ${items.length} were not decided: ${refused[0].problem}`);
    } catch (error) {
      for (const { labelId } of entries) mark(labelId, undefined);
      toast.error(error instanceof Refused ? error.message : 'The decisions could not be sent.');
    }
  };

  /** Takes back what was decided last on this page. Gives the label to go to, or nothing. */
  const undo = async (): Promise<string | undefined> => {
    const last = done.current.pop();
    if (!last) {
      toast('There is nothing to take back on this page.');
      return undefined;
    }
    for (const { labelId, decisionId } of last) {
      try {
        await sending.current.get(decisionId);
        await api.undo(decisionId);
        mark(labelId, undefined);
        store.forget(labelId);
      } catch (error) {
        toast.error(error instanceof Error ? error.message : 'It could not be taken back.');
      }
    }
    return last[0]?.labelId;
  };

  return { marks, decide, decideMany, undo };
}

export type Verdicts = ReturnType<typeof useVerdicts>;
