import { useEffect, useRef } from 'react';
import type { ActionId, Editor } from '@/lib/core/editor';

export type PageActions = Partial<Record<ActionId, () => void>>;

/** Shortcuts that are the page's business, such as submitting. */
export function usePageActions(editor: Editor | undefined, actions: PageActions): void {
  const newest = useRef(actions);
  newest.current = actions;
  useEffect(
    () =>
      editor?.onEffect((effect) => {
        if (effect.kind === 'action') newest.current[effect.action]?.();
      }),
    [editor],
  );
}
