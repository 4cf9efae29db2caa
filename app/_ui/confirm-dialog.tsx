'use client';

import { AlertDialog as Radix } from 'radix-ui';
import { type ReactNode, useId, useState, useTransition } from 'react';
import { Button } from './button';
import { scrimStyle, sheetStyle } from './dialog';
import { FormError, Input } from './forms';
import { useUiText } from './ui-text';

interface ConfirmDialogProps {
  trigger: ReactNode;
  title: string;
  /** What will happen, what cannot be undone, what stays. */
  children: ReactNode;
  /** The verb of the act, never "OK". */
  confirm: string;
  danger?: boolean;
  /** What must be typed first, for acts that cannot be undone. */
  typeToConfirm?: string;
  /** Resolves to a message when the act failed; the dialog then stays and shows it. */
  onConfirm: () => Promise<string | undefined>;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { trigger, title, children, confirm, danger, typeToConfirm, onConfirm } = props;
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const typedId = useId();
  const text = useUiText();

  const change = (next: boolean) => {
    setOpen(next);
    setTyped('');
    setProblem(undefined);
  };
  const act = () =>
    startTransition(async () => {
      const message = await onConfirm();
      if (message) setProblem(message);
      else change(false);
    });

  return (
    <Radix.Root open={open} onOpenChange={change}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Overlay className={scrimStyle} />
        <Radix.Content className={sheetStyle}>
          <div className="flex flex-col gap-3 p-4">
            <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
            <Radix.Description asChild>
              <div className="text-sm text-ink-2">{children}</div>
            </Radix.Description>
            {typeToConfirm && (
              <label htmlFor={typedId} className="grid gap-1 text-xs text-ink-2">
                <span>
                  Type <strong className="text-ink">{typeToConfirm}</strong> to go on
                </span>
                <Input
                  id={typedId}
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </label>
            )}
            <FormError>{problem}</FormError>
          </div>
          <footer className="flex justify-end gap-2 border-t border-line px-4 py-3">
            <Radix.Cancel asChild>
              <Button>{text.cancel}</Button>
            </Radix.Cancel>
            <Button
              variant={danger ? 'danger' : 'primary'}
              pending={pending}
              disabled={typeToConfirm !== undefined && typed !== typeToConfirm}
              onClick={act}
            >
              {confirm}
            </Button>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
