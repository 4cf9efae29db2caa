'use client';

import { Flag, MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/app/_ui/button';
import { ConfirmDialog } from '@/app/_ui/confirm-dialog';
import { Dialog, DialogFooter } from '@/app/_ui/dialog';
import { Textarea } from '@/app/_ui/forms/controls';
import { Field } from '@/app/_ui/forms/field';
import { IconButton } from '@/app/_ui/icon-button';
import { toast } from '@/app/_ui/toasts';
import { useKeyFor } from '../_canvas/keys';
import { postReport, type WorkItem } from './api';

interface ReportButtonsProps {
  /** The item that a comment is about. */
  lease: string;
  /** What is given up with a broken image. */
  items: readonly WorkItem[];
  isCommenting: boolean;
  onCommenting: (open: boolean) => void;
  disabled: boolean;
  onReleased: (items: readonly WorkItem[]) => void;
}

/** A word to the curator about this item, and the way out of an image that cannot be worked on. */
export function ReportButtons(props: ReportButtonsProps) {
  const { lease, items, disabled, isCommenting, onCommenting, onReleased } = props;
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
        onConfirm={() => reportBroken(items, onReleased)}
        trigger={
          <IconButton label="Report a broken image" side="top" disabled={disabled}>
            <Flag aria-hidden />
          </IconButton>
        }
      >
        The curator receives the report and you go on with the next image. It does not affect your pay for
        other work.
      </ConfirmDialog>
    </>
  );
}

/** Resolves to a message when it failed. */
export async function reportBroken(
  items: readonly WorkItem[],
  onReleased: (items: readonly WorkItem[]) => void,
): Promise<string | undefined> {
  const released: WorkItem[] = [];
  try {
    for (const item of items) {
      await postReport(item.leaseId, { id: crypto.randomUUID(), kind: 'broken-image', text: '' });
      released.push(item);
    }
    onReleased(released);
    return undefined;
  } catch (error) {
    // The others are tried again; these are no longer this person's.
    if (released.length > 0) onReleased(released);
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
