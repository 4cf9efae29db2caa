import { useSyncExternalStore } from 'react';
import type { Editor, EditorState } from '@/lib/core/editor';

/** A piece of the editor's state. `select` must give the same value for the same state: no new objects. */
export function useEditor<T>(editor: Editor, select: (state: EditorState) => T): T {
  const read = () => select(editor.state);
  return useSyncExternalStore(editor.subscribe, read, read);
}
