import { useEffect, useRef } from 'react';
import { keyName, shortcutFor, withChoices } from '@/lib/core/editor';
import { pressOf } from '../_canvas/key-input';
import { useKeys } from '../_canvas/keys';
import type { PageActions } from './use-page-actions';

/** The page's shortcuts where no editor hears the keys. */
export function usePageKeys(actions: PageActions): void {
  const { choices } = useKeys();
  const newest = useRef(actions);
  newest.current = actions;
  useEffect(() => {
    const list = withChoices(choices);
    const onKey = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.closest('textarea, input[type="text"], [role="dialog"]');
      if (event.defaultPrevented || isTyping) return;
      const action = shortcutFor(keyName(pressOf(event)), 'page', list);
      const act = action && newest.current[action.id];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [choices]);
}
