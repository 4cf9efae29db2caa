import { type Editor, type KeyPress, shortcutOf } from '@/lib/core/editor';

/** Keys by which a button, a slider or a link is worked: they are theirs while the focus is on one. */
const OF_CONTROLS = /^(Enter| |Tab|Arrow.*|Home|End|PageUp|PageDown)$/;

/** Brings keys to the editor, wherever the focus is on the page, unless somebody is typing. */
export function listenToKeys(canvas: HTMLElement, editor: Editor): () => void {
  const onDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || !isOurs(event, canvas)) return;
    const press = pressOf(event);
    const shortcut = shortcutOf(editor.state, press);
    if (!shortcut) return;
    event.preventDefault();
    if (event.repeat && (shortcut.held || shortcut.id === 'done' || shortcut.id === 'submit-batch')) return;
    editor.dispatch({ type: 'key-down', ...press, time: event.timeStamp });
  };
  const onUp = (event: KeyboardEvent) =>
    editor.dispatch({ type: 'key-up', ...pressOf(event), time: event.timeStamp });
  const onBlur = () => editor.dispatch({ type: 'blur' });
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('keydown', onDown, { signal });
  window.addEventListener('keyup', onUp, { signal });
  window.addEventListener('blur', onBlur, { signal });
  return () => controller.abort();
}

export function pressOf(event: KeyboardEvent): KeyPress {
  return {
    key: event.key,
    code: event.code,
    shift: event.shiftKey,
    alt: event.altKey,
    mod: event.ctrlKey || event.metaKey,
  };
}

function isOurs({ target, key }: KeyboardEvent, canvas: HTMLElement): boolean {
  if (!(target instanceof HTMLElement) || target === canvas || target === document.body) return true;
  if (
    target.closest(
      'input:not([type="range"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]',
    )
  )
    return false;
  return !OF_CONTROLS.test(key);
}
