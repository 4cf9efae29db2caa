'use client';

import { Dialog } from '@/app/_ui/dialog';
import { Kbd } from '@/app/_ui/kbd';
import { keyText } from '@/lib/core/editor';
import { type AuditScope, type AuditShortcut, auditShortcuts } from '@/lib/services/curation/audit/shortcuts';

type Props = { scope: AuditScope; open: boolean; onOpenChange: (open: boolean) => void };

/** The `?` sheet, from the registry of keys. */
export function KeysSheet({ scope, open, onOpenChange }: Props) {
  const rows = auditShortcuts.filter((shortcut: AuditShortcut) => shortcut.scopes.includes(scope));
  return (
    <Dialog title="Keys of this page" open={open} onOpenChange={onOpenChange} className="max-w-2xl">
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
