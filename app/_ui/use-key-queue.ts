'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { keyName } from '@/lib/annotator/key-press';
import { KeyQueue, type NeedsItem, type QueuedKey } from './key-queue';
import { toast } from './toasts';

interface BrowserKey extends QueuedKey {
  event: KeyboardEvent;
}

/** Where text is typed, or a layer above the page is open. */
const FOREIGN =
  'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable], ' +
  '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const OF_CONTROLS = new Set(['Enter', 'Space']);

const queue = new KeyQueue<BrowserKey>({
  deliver({ event }) {
    const { type, key, code, shiftKey, altKey, ctrlKey, metaKey } = event;
    const copy = new KeyboardEvent(type, {
      ...{ key, code, shiftKey, altKey, ctrlKey, metaKey },
      ...{ bubbles: true, cancelable: true, composed: true },
    });
    (document.activeElement ?? document.body).dispatchEvent(copy);
    return copy.defaultPrevented;
  },
  reject(keys) {
    const names = keys.map(({ name }) => name.replace('Mod+', 'Ctrl+')).join(', ');
    toast.warning(
      keys.length === 1
        ? `The key ${names} was pressed too early and was not used. Press it again.`
        : `The keys ${names} were pressed too early and were not used. Press them again.`,
    );
  },
  schedule: (work) => setTimeout(work, 0),
});

function onKey(event: KeyboardEvent): void {
  // Copies from the queue itself are not trusted: they go to the page.
  if (!event.isTrusted || event.isComposing) return;
  const { key, code, shiftKey: shift, altKey: alt, repeat: isRepeat } = event;
  const name = keyName({ key, code, shift, alt, mod: event.ctrlKey || event.metaKey });
  if (event.type === 'keydown' && event.target instanceof Element) {
    if (event.target.closest(FOREIGN)) return;
    if (OF_CONTROLS.has(name) && event.target.closest('a, button, summary')) return;
  }
  const type = event.type === 'keydown' ? 'keydown' : 'keyup';
  if (!queue.offer({ type, name, code, isRepeat, event })) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

let users = 0;
function listen(): () => void {
  if (users++ === 0)
    for (const type of ['keydown', 'keyup'] as const) window.addEventListener(type, onKey, true);
  return () => {
    if (--users === 0)
      for (const type of ['keydown', 'keyup'] as const) window.removeEventListener(type, onKey, true);
  };
}

const anyKey = () => true;

/**
 * Keeps keys while `isBusy` and gives them to the page afterwards. `needs` limits this to some keys; the others work
 * at once, unless a kept key comes before them.
 */
export function useKeyQueue(isBusy: boolean, needs: NeedsItem = anyKey): void {
  const [part] = useState(() => Symbol('part of the page'));
  const isNeeded = useEffectEvent((name: string) => needs(name));
  useEffect(() => {
    const stop = listen();
    return () => {
      stop();
      queue.removePart(part);
    };
  }, [part]);
  useEffect(() => {
    queue.setPart(part, isBusy ? (name) => isNeeded(name) : null);
  }, [part, isBusy]);
}

/** Rejects the keys that were kept: what they were meant for is not coming. */
export const rejectKeys = () => queue.rejectAll();

/** A second press of the key that sends is the same wish, not one for the next item. */
export const exceptSubmit = (name: string) => name !== 'Mod+Enter';
