import { type RefObject, useEffect, useEffectEvent } from 'react';
import { keyName } from '@/lib/core/editor/key-press';

/** Where keys belong to somebody else: text is typed there, or a layer above the form is open. */
const FOREIGN =
  'input:not([type=checkbox]), textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=menu]';
/** On a button or link these do what buttons and links do. */
const ITS_OWN = new Set(['Enter', 'Space', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

function isForForm(name: string, target: EventTarget | null, root: HTMLElement | null): boolean {
  if (!root || root.closest('[inert]')) return false;
  if (!(target instanceof Element)) return true;
  if (target.closest(FOREIGN)) return false;
  return !(ITS_OWN.has(name) && target.closest('a, button, summary'));
}

/** Calls `press` for every key of the page that the form may have; what it takes goes no further. */
export function useFormKeys(
  root: RefObject<HTMLElement | null>,
  press: (name: string, isRepeat: boolean) => boolean,
): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const { key, code, shiftKey: shift, altKey: alt } = event;
    const name = keyName({ key, code, shift, alt, mod: event.ctrlKey || event.metaKey });
    if (isForForm(name, event.target, root.current) && press(name, event.repeat)) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
