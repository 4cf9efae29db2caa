'use client';

import { Flag, MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { Field } from '@/app/_ui/forms/field';
import { Textarea } from '@/app/_ui/forms/textarea';
import { IconButton } from '@/app/_ui/icon-button';
import { toast } from '@/app/_ui/toasts';
import { useKeyFor } from '../_canvas/keys';
import { postReport } from './api';

interface ReportButtonsProps {
  lease: string;
  isCommenting: boolean;
  onCommenting: (open: boolean) => void;
  disabled: boolean;
  onReleased: () => void;
}

/** A word to the curator about this item, and the way out of an image that cannot be worked on. */
export function ReportButtons(props: ReportButtonsProps) {
  const { lease, disabled, isCommenting, onCommenting, onReleased } = props;
  const shortcut = useKeyFor()('comment');
  return (
    <>
      <IconButton
        label="Comment to the curator"
        shortcut={shortcut}
        side="top"
        onClick={() => onCommenting(true)}
      >
        <MessageSquare aria-hidden />
      </IconButton>
      <CommentDialog lease={lease} open={isCommenting} onOpenChange={onCommenting} />
      <ConfirmDialog
        title="Report a broken image"
        confirm="Report and go on"
        onConfirm={() => reportBroken(lease, onReleased)}
        trigger={
          <IconButton label="Report a broken image" side="top" disabled={disabled}>
            <Flag aria-hidden />
          </IconButton>
        }
      >
        The curator is told, the item is taken from you, and you go on with the next one. You lose nothing by
        it.
      </ConfirmDialog>
    </>
  );
}

/** Resolves to a message when it failed. */
export async function reportBroken(lease: string, onReleased: () => void): Promise<string | undefined> {
  try {
    await postReport(lease, { id: crypto.randomUUID(), kind: 'broken-image', text: '' });
    onReleased();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'The report was not sent.';
  }
}

interface CommentDialogProps {
  lease: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CommentDialog({ lease, open, onOpenChange }: CommentDialogProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [id, setId] = useState(() => crypto.randomUUID());
  const send = async () => {
    try {
      await postReport(lease, { id, kind: 'comment', text });
      toast.success('The curator has your comment.');
      setText('');
      setId(crypto.randomUUID());
      setProblem(undefined);
      onOpenChange(false);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'The comment was not sent.');
    }
  };
  return (
    <Dialog title="Comment to the curator" open={open} onOpenChange={onOpenChange}>
      <Field label="What should they know about this item?" error={problem}>
        {(control) => (
          <Textarea
            {...control}
            value={text}
            maxLength={4000}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <DialogFooter>
        <Button variant="primary" disabled={text.trim() === ''} onClick={send}>
          Send
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
