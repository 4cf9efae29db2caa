'use client';

import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { Dialog } from '@/app/_ui/dialog';
import { IconButton } from '@/app/_ui/icon-button';
import { Kbd } from '@/app/_ui/kbd';
import { keyText } from '@/lib/core/editor';
import { keyName } from '@/lib/core/editor/key-press';
import {
  type AuditAction,
  type AuditScope,
  type AuditShortcut,
  auditShortcutFor,
  auditShortcuts,
} from '@/lib/services/curation/audit/shortcuts';

export type AuditActions = Partial<Record<AuditAction, (isDown: boolean) => void>>;

/** Elements that handle keys themselves: text fields, and layers above the page. */
const FOREIGN =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]';
const ITS_OWN = new Set(['Enter', 'Space']);

/** Handles the shortcuts of the registry. Off while the annotator or a form handles keys. */
export function useAuditKeys(scope: AuditScope, actions: AuditActions, isOn: boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isDown = event.type === 'keydown';
    if (!isOn || event.defaultPrevented || event.isComposing) return;
    const { key, code, shiftKey: shift, altKey: alt } = event;
    const name = keyName({ key, code, shift, alt, mod: event.ctrlKey || event.metaKey });
    if (event.target instanceof Element) {
      if (event.target.closest(FOREIGN)) return;
      if (ITS_OWN.has(name) && event.target.closest('a, button, summary')) return;
    }
    const shortcut = auditShortcutFor(name, scope);
    const act = shortcut && actions[shortcut.id];
    if (!act || (!isDown && !shortcut.held)) return;
    event.preventDefault();
    if (isDown && event.repeat && !repeats.has(shortcut.id)) return;
    act(isDown);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    window.addEventListener('keyup', listen);
    return () => {
      window.removeEventListener('keydown', listen);
      window.removeEventListener('keyup', listen);
    };
  }, []);
}

/** Actions that repeat while the key is held: moving, but never deciding. */
const repeats: ReadonlySet<AuditAction> = new Set(['next', 'previous', 'left', 'right-of', 'up', 'down']);

const decisions: ReadonlySet<AuditAction> = new Set([
  'accept',
  'reject',
  'send-back',
  'fix',
  'right',
  'wrong',
]);

/** Reports whether a key decides about the current label, so that it must wait until one is loaded. */
export function isDecision(name: string, scope: AuditScope): boolean {
  const shortcut = auditShortcutFor(name, scope);
  return shortcut !== undefined && decisions.has(shortcut.id);
}

type KeysSheetProps = { scope: AuditScope; open: boolean; onOpenChange: (open: boolean) => void };

/** The `?` sheet with all shortcuts of the page. */
export function KeysSheet({ scope, open, onOpenChange }: KeysSheetProps) {
  const rows = auditShortcuts.filter((shortcut: AuditShortcut) => shortcut.scopes.includes(scope));
  return (
    <Dialog title="Keyboard shortcuts" open={open} onOpenChange={onOpenChange} className="max-w-2xl">
      <dl className="gap-8 sm:columns-2">
        {rows.map(({ id, keys, description, held }: AuditShortcut) => (
          <div key={id} className="flex min-h-7 break-inside-avoid items-center justify-between gap-4">
            <dt className="text-ink-2">
              {description}
              {held && ' (hold)'}
            </dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key} keys={keyText(key, 'other')} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface StepButtonsProps {
  /** Zero-based. */
  index: number;
  count: number;
  onGo: (index: number) => void;
}

/** Buttons for the previous and next label, with the same keys in the queue and in samples. */
export function StepButtons({ index, count, onGo }: StepButtonsProps) {
  return (
    <>
      <IconButton label="Previous label" shortcut="K" disabled={index === 0} onClick={() => onGo(index - 1)}>
        <ChevronLeft aria-hidden />
      </IconButton>
      <IconButton
        label="Next label"
        shortcut="J"
        disabled={index >= count - 1}
        onClick={() => onGo(index + 1)}
      >
        <ChevronRight aria-hidden />
      </IconButton>
    </>
  );
}
