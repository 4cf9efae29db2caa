'use client';

import { useEffect, useEffectEvent, useState } from 'react';
import { keyName } from '@/lib/core/editor/key-press';
import { KeyQueue, type NeedsItem, type QueuedKey } from './key-queue';
import { toast } from './toasts';
import { useUiText } from './ui-text';

interface BrowserKey extends QueuedKey {
  event: KeyboardEvent;
}

/** Where text is typed, or a layer above the page is open. */
const FOREIGN =
  'input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable], ' +
  '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';
const OF_CONTROLS = new Set(['Enter', 'Space']);

const replayed = new WeakSet<Event>();

/** Reports whether the queue made an event from a key that somebody pressed earlier. */
export const isReplayedKey = (event: Event): boolean => replayed.has(event);

/** In the language of the page. The queue outlives the components that use it. */
let tooEarly = '{keys}';

const queue = new KeyQueue<BrowserKey>({
  deliver({ event }) {
    const { type, key, code, shiftKey, altKey, ctrlKey, metaKey } = event;
    const copy = new KeyboardEvent(type, {
      ...{ key, code, shiftKey, altKey, ctrlKey, metaKey },
      ...{ bubbles: true, cancelable: true, composed: true },
    });
    replayed.add(copy);
    (document.activeElement ?? document.body).dispatchEvent(copy);
    return copy.defaultPrevented;
  },
  reject(keys) {
    const names = keys.map(({ name }) => name.replace('Mod+', 'Ctrl+')).join(', ');
    toast.warning(tooEarly.replace('{keys}', names));
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
 * Queues keys while `isBusy` and delivers them to the page afterwards. `needs` limits this to some keys. The others
 * take effect immediately, unless the queue already holds a key.
 */
export function useKeyQueue(isBusy: boolean, needs: NeedsItem = anyKey): void {
  const [part] = useState(() => Symbol('part of the page'));
  const isNeeded = useEffectEvent((name: string) => needs(name));
  const { keysTooEarly } = useUiText();
  useEffect(() => {
    tooEarly = keysTooEarly;
  }, [keysTooEarly]);
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

/** Rejects the queued keys, because the item that they were meant for will not load. */
export const rejectKeys = () => queue.rejectAll();

/** Pressing the submit key twice must not submit the next item. */
export const exceptSubmit = (name: string) => name !== 'Mod+Enter';
