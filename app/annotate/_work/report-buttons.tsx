'use client';

import { Flag, MessageSquare } from 'lucide-react';
import { useTranslations } from 'next-intl';
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
import { type ExplainProblem, useExplainProblem } from './work-text';

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
  const t = useTranslations('work.report');
  const explain = useExplainProblem();
  const shortcut = useKeyFor()('comment');
  return (
    <>
      <IconButton label={t('comment')} shortcut={shortcut} side="top" onClick={() => onCommenting(true)}>
        <MessageSquare aria-hidden />
      </IconButton>
      <CommentDialog lease={lease} open={isCommenting} onOpenChange={onCommenting} />
      <ConfirmDialog
        title={t('broken')}
        confirm={t('confirm')}
        onConfirm={() => reportBroken(items, onReleased, explain)}
        trigger={
          <IconButton label={t('broken')} side="top" disabled={disabled}>
            <Flag aria-hidden />
          </IconButton>
        }
      >
        {t('brokenText')}
      </ConfirmDialog>
    </>
  );
}

/** Resolves to a message when it failed. */
export async function reportBroken(
  items: readonly WorkItem[],
  onReleased: (items: readonly WorkItem[]) => void,
  explain: ExplainProblem,
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
    return explain(error);
  }
}

interface CommentDialogProps {
  lease: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function CommentDialog({ lease, open, onOpenChange }: CommentDialogProps) {
  const t = useTranslations('work.report');
  const explain = useExplainProblem();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [id, setId] = useState(() => crypto.randomUUID());
  const send = async () => {
    try {
      await postReport(lease, { id, kind: 'comment', text });
      toast.success(t('sent'));
      setText('');
      setId(crypto.randomUUID());
      setProblem(undefined);
      onOpenChange(false);
    } catch (error) {
      setProblem(explain(error));
    }
  };
  return (
    <Dialog title={t('comment')} open={open} onOpenChange={onOpenChange}>
      <Field label={t('question')} error={problem}>
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
          {t('send')}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
