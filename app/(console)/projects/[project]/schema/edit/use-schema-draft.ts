import { useCallback, useEffect, useState } from 'react';
import { type DatasetSchema, editSchema, type SchemaEdit } from '@/lib/core/schema';
import type { SchemaEffects } from '@/lib/services/projects/schema';

interface Kept {
  /** The version that the draft started from. */
  from: number;
  draft: DatasetSchema;
}

export interface SchemaDraft extends Kept {
  /** The draft comes from an earlier visit. */
  isFound: boolean;
  edit: (edit: SchemaEdit) => void;
  /** What is typed stays; from now on it is compared with another version. */
  rebase: (number: number) => void;
  /** Resets the draft to a saved version. */
  reset: (number: number, saved: DatasetSchema) => void;
}

/** The draft in the browser. It is kept there over a reload, a crash and a conflict, until it is saved or thrown away. */
export function useSchemaDraft(projectId: string, number: number, saved: DatasetSchema): SchemaDraft {
  const key = `tessera-schema/${projectId}`;
  const [kept, setKept] = useState<Kept>({ from: number, draft: saved });
  const [isFound, setFound] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once; later it is this page that keeps it.
  useEffect(() => {
    const found = read(key);
    if (!found || JSON.stringify(found.draft) === JSON.stringify(saved)) return;
    setKept(found);
    setFound(true);
  }, [key]);

  const keep = useCallback(
    (next: Kept) => {
      setKept(next);
      try {
        localStorage.setItem(key, JSON.stringify(next));
      } catch {
        // Without room or leave to store, the draft lives as long as the page.
      }
    },
    [key],
  );

  return {
    ...kept,
    isFound,
    edit: (edit) => keep({ ...kept, draft: editSchema(kept.draft, edit) }),
    rebase: (from) => keep({ ...kept, from }),
    reset: (from, draft) => {
      setFound(false);
      setKept({ from, draft });
      try {
        localStorage.removeItem(key);
      } catch {
        // Nothing was kept, then.
      }
    },
  };
}

function read(key: string): Kept | undefined {
  try {
    const found = JSON.parse(localStorage.getItem(key) ?? 'null');
    const isDraft = typeof found?.from === 'number' && Array.isArray(found?.draft?.parts);
    return isDraft ? found : undefined;
  } catch {
    return undefined;
  }
}

/** As it goes to the browser: amounts in millionths as text. */
export type ShownEffects = Omit<SchemaEffects, 'asked' | 'forms'> & {
  asked: (Omit<SchemaEffects['asked'][number], 'amountMicro'> & { amountMicro: string })[];
  forms: Omit<SchemaEffects['forms'], 'amountMicro'> & { amountMicro: string };
};
