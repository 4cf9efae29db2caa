import { useEffect, useRef, useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { type AuditApi, type NewVerdict, Refused } from './audit-api';
import type { LabelStore } from './label-store';

export type Mark = { verdict: string; decisionId: string; state: 'sending' | 'done' | 'failed' };
type Marks = Readonly<Record<string, Mark>>;

type Entry = { labelId: string; decisionId: string };
/** One step of undo. */
type Done = readonly Entry[];
type ManyVerdict = Parameters<AuditApi['decideMany']>[1];

/** The most that one request decides about. */
const AT_ONCE = 200;

/** Somebody has gone on from the decision: asking again would only stand in the way of what was decided before. */
const isFinal = (error: unknown) =>
  error instanceof Refused && (error.status === 404 || error.status === 409);

/**
 * Decisions that were made on this page. They are sent in the background, so that the next label is there at once;
 * one that is refused is told, and the label keeps a mark.
 */
export function useVerdicts(api: AuditApi, store: LabelStore) {
  const [marks, setMarks] = useState<Marks>({});
  const done = useRef<Done[]>([]);
  const sending = useRef(new Map<string, Promise<boolean>>());
  useStay(Object.values(marks).some(({ state }) => state === 'sending'));

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

  /** The ids of the decisions that were stored. What cannot be sent stops the rest, which stays undecided. */
  const sendMany = async (entries: readonly Entry[], verdict: ManyVerdict): Promise<ReadonlySet<string>> => {
    const stored = new Set<string>();
    const problems: string[] = [];
    for (let from = 0; from < entries.length; from += AT_ONCE) {
      const part = entries.slice(from, from + AT_ONCE);
      try {
        const labels = part.map(({ labelId, decisionId }) => ({ labelId, id: decisionId }));
        const { items } = await api.decideMany(labels, verdict);
        const accepted = new Set(items.filter((item) => item.problem === null).map((item) => item.labelId));
        for (const { labelId, decisionId } of part) {
          const isStored = accepted.has(labelId);
          if (isStored) stored.add(decisionId);
          mark(labelId, { verdict: verdict.verdict, decisionId, state: isStored ? 'done' : 'failed' });
          store.forget(labelId);
        }
        problems.push(...items.flatMap((item) => item.problem ?? []));
      } catch (error) {
        for (const { labelId } of entries.slice(from)) mark(labelId, undefined);
        toast.error(error instanceof Refused ? error.message : 'The decisions could not be sent.');
        break;
      }
    }
    if (problems[0]) toast.error(`${problems.length} of ${entries.length} were not decided: ${problems[0]}`);
    return stored;
  };

  const decideMany = async (labelIds: readonly string[], verdict: ManyVerdict) => {
    const entries: Done = labelIds.map((labelId) => ({ labelId, decisionId: freshId() }));
    for (const { labelId, decisionId } of entries)
      mark(labelId, { verdict: verdict.verdict, decisionId, state: 'sending' });
    const sent = sendMany(entries, verdict);
    for (const { decisionId } of entries)
      sending.current.set(
        decisionId,
        sent.then((stored) => stored.has(decisionId)),
      );
    // Before the reply, so that an undo meanwhile means these and not what was decided before.
    done.current.push(entries);
    const stored = await sent;
    done.current = done.current
      .map((step) => (step === entries ? step.filter((entry) => stored.has(entry.decisionId)) : step))
      .filter((step) => step.length > 0);
  };

  /** Takes back what was decided last on this page. Gives the label to go to, or nothing. */
  const undo = async (): Promise<string | undefined> => {
    const last = done.current.pop();
    if (!last) {
      toast('There is nothing to take back on this page.');
      return undefined;
    }
    const left: Entry[] = [];
    for (const entry of last) {
      const { labelId, decisionId } = entry;
      // Never stored, which was told already: there is nothing to take back.
      if ((await sending.current.get(decisionId)) === false) continue;
      try {
        await api.undo(decisionId);
        mark(labelId, undefined);
        store.forget(labelId);
      } catch (error) {
        if (!isFinal(error)) left.push(entry);
        toast.error(error instanceof Error ? error.message : 'It could not be taken back.');
      }
    }
    if (left.length > 0) done.current.push(left);
    return last[0]?.labelId;
  };

  return { marks, decide, decideMany, undo };
}

export type Verdicts = ReturnType<typeof useVerdicts>;

/** While something is on its way to the server, the browser asks before the page is left. */
export function useStay(isSending: boolean): void {
  useEffect(() => {
    if (!isSending) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isSending]);
}

/** A UUIDv7 made in the browser: decisions are listed by their ids, and these follow the clock. */
export function freshId(now = Date.now()): string {
  const random = crypto.randomUUID();
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
