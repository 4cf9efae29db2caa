'use client';

import type { KeyboardEvent, ReactNode } from 'react';

/** Keyboard navigation: arrow keys move, x selects, Enter opens. */
export function GalleryKeys({ children }: { children: ReactNode }) {
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-image]')];
    const item = (event.target as HTMLElement).closest('li');
    const at = links.findIndex((link) => item?.contains(link));
    if (at === -1) return;
    if (event.key === 'x') {
      item?.querySelector<HTMLInputElement>('input[name=image]')?.click();
      return;
    }
    const top = links[0]?.getBoundingClientRect().top;
    const across = Math.max(1, links.filter((link) => link.getBoundingClientRect().top === top).length);
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
    const next = step && links[at + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the controls are inside; keys only move the focus.
    <div onKeyDown={press}>
      {children}
      <p className="mt-3 text-2xs text-ink-3">Arrow keys move, x selects, Enter opens.</p>
    </div>
  );
}
