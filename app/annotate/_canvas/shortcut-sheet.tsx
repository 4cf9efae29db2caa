'use client';

import { Dialog } from '@/app/_ui/dialog';
import { Kbd } from '@/app/_ui/kbd';
import { type ShortcutScope, shortcutSections } from '@/lib/annotator';
import { platform } from './keys';

interface ShortcutSheetProps {
  /** Which scopes are on this page. */
  scopes: readonly ShortcutScope[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The `?` sheet, from the registry of shortcuts. */
export function ShortcutSheet({ scopes, open, onOpenChange }: ShortcutSheetProps) {
  const sections = shortcutSections({}, platform()).filter(({ scope }) => scopes.includes(scope));
  return (
    <Dialog title="Keyboard shortcuts" open={open} onOpenChange={onOpenChange} className="max-w-5xl">
      <div className="columns-1 gap-8 sm:columns-2 lg:columns-3">
        {sections.map(({ scope, title, rows }) => (
          <section key={scope} className="mb-6">
            <h3 className="mb-2 font-semibold">{title}</h3>
            <dl className="grid gap-1">
              {rows.map(({ id, keys, description }) => (
                <div key={id} className="flex break-inside-avoid items-center justify-between gap-4 text-sm">
                  <dt className="text-ink-2">{description}</dt>
                  <dd className="flex gap-1.5">
                    {keys.map((key) => (
                      <Kbd key={key} keys={key} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
