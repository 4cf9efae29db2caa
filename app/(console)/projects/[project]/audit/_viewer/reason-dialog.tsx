'use client';

import { Check, PencilLine, Reply, X } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Button } from '@/app/_ui/button';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { Field, Textarea } from '@/app/_ui/forms';
import { Kbd } from '@/app/_ui/kbd';
import { State } from '@/app/_ui/state';
import { verdictWord } from './label-panel';
import type { Mark } from './use-verdicts';

export type Asked = 'rejected' | 'sent-back';

type ReasonDialogProps = {
  asked: Asked | undefined;
  /** Labels that the reason is about. */
  count: number;
  onCancel: () => void;
  onReason: (reason: string) => void;
};

const words = {
  rejected: { title: 'Reject', action: 'Reject', field: 'Reason' },
  'sent-back': { title: 'Ask another worker', action: 'Ask another worker', field: 'Message to the author' },
};

/** What is said most, one key each; the text can be changed before it is sent. */
const usual = [
  'The outline misses a piece that belongs to it.',
  'The outline takes in what does not belong to it.',
  'The outline is too coarse: follow the visible border.',
  'This is not what was asked for.',
  'There is nothing to label here.',
  'Something was overlooked that can be seen in the picture.',
];

/** Asks why, because the worker is shown it. */
export function ReasonDialog({ asked, count, onCancel, onReason }: ReasonDialogProps) {
  return (
    <Dialog
      title={asked ? `${words[asked].title}${count > 1 ? ` ${count} labels` : ' this label'}` : ''}
      description={
        asked === 'sent-back'
          ? 'The author reads the message. Nobody gets an item twice, so somebody else is asked to answer it.'
          : 'The label is no longer current and somebody else is asked. The author reads the reason and stays paid.'
      }
      open={asked !== undefined}
      onOpenChange={(open) => !open && onCancel()}
      className="max-w-xl"
    >
      {asked && <ReasonForm key={asked} asked={asked} onCancel={onCancel} onReason={onReason} />}
    </Dialog>
  );
}

function ReasonForm({
  asked,
  onCancel,
  onReason,
}: Omit<ReasonDialogProps, 'asked' | 'count'> & { asked: Asked }) {
  const [text, setText] = useState('');
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim() !== '') onReason(text.trim());
  };
  const onKey = (event: KeyboardEvent) => {
    const isField = event.target instanceof HTMLTextAreaElement;
    if (event.key === 'Enter' && isField && !event.shiftKey) {
      event.preventDefault();
      send();
    }
    // Digits choose while nothing is typed; in a text they are digits.
    const chosen = usual[Number(event.key) - 1];
    if (chosen && text === '' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      setText(chosen);
    }
  };
  return (
    <form onSubmit={send} onKeyDown={onKey} className="flex flex-col gap-3">
      <ul className="flex flex-col">
        {usual.map((reason, i) => (
          <li key={reason}>
            <button
              type="button"
              tabIndex={-1}
              onClick={() => setText(reason)}
              className="flex min-h-7 w-full items-center gap-2 rounded-sm px-1 text-left hover:bg-hover"
            >
              <Kbd keys={String(i + 1)} /> {reason}
            </button>
          </li>
        ))}
      </ul>
      <Field label={words[asked].field}>
        {(control) => (
          <Textarea
            {...control}
            autoFocus
            rows={2}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <DialogFooter>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="danger" disabled={text.trim() === ''}>
          {words[asked].action} <Kbd keys="Enter" className="opacity-80" />
        </Button>
      </DialogFooter>
    </form>
  );
}

type VerdictButtonsProps = {
  mark: Mark | undefined;
  /** Why nothing can be decided here. */
  closed?: string;
  mayFix: boolean;
  onAccept: () => void;
  onReject: () => void;
  onFix: () => void;
  onSendBack: () => void;
};

/** The four ways to decide about a label, or what was decided. */
export function VerdictButtons({
  mark,
  closed,
  mayFix,
  onAccept,
  onReject,
  onFix,
  onSendBack,
}: VerdictButtonsProps) {
  if (mark) {
    const tone =
      mark.state === 'failed'
        ? 'bad'
        : mark.verdict === 'accepted' || mark.verdict === 'corrected'
          ? 'good'
          : 'warn';
    return (
      <div className="flex min-h-20 flex-col justify-center gap-1 border-b border-line p-3">
        <State state={mark.verdict} tone={tone}>
          {mark.state === 'failed' ? 'Not decided' : verdictWord(mark.verdict)}
        </State>
        <p className="text-xs text-ink-3">
          {mark.state === 'failed'
            ? 'Somebody else was quicker, or the server refused.'
            : 'Take it back with'}{' '}
          {mark.state !== 'failed' && <Kbd keys="U" />}
        </p>
      </div>
    );
  }
  if (closed) return <p className="border-b border-line p-3 text-ink-2">{closed}</p>;
  return (
    <div className="grid grid-cols-2 gap-2 border-b border-line p-3">
      <Button variant="primary" icon={<Check aria-hidden />} onClick={onAccept}>
        Accept <Kbd keys="A" className="opacity-80" />
      </Button>
      <Button icon={<PencilLine aria-hidden />} disabled={!mayFix} onClick={onFix}>
        Fix <Kbd keys="F" />
      </Button>
      <Button icon={<X aria-hidden />} onClick={onReject}>
        Reject <Kbd keys="R" />
      </Button>
      <Button icon={<Reply aria-hidden />} onClick={onSendBack}>
        Ask another worker <Kbd keys="B" />
      </Button>
    </div>
  );
}
