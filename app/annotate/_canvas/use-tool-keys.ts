import { useEffect } from 'react';
import type { Editor, ToolId } from '@/lib/core/editor';
import { useKeys } from './keys';

/** Gives the editor the person's own keys. A tool that is not offered has no key either. */
export function useToolKeys(editor: Editor, hidden: ReadonlySet<ToolId>): void {
  const { choices } = useKeys();
  useEffect(() => {
    const keys = Object.fromEntries([...hidden].map((id) => [`tool-${id}`, []]));
    editor.dispatch({ type: 'keys', choices: { ...choices, ...keys } });
  }, [editor, choices, hidden]);
}
