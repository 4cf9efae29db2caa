import { useEffect, useState } from 'react';
import type { AuditLabel } from './audit-api';
import type { LabelStore } from './label-store';

export type Shown = { label?: AuditLabel; problem?: string };

/** The label with this id: at once when it was loaded ahead. */
export function useLabel(store: LabelStore, labelId: string | undefined, version: number): Shown {
  const [loaded, setLoaded] = useState<{ id: string; version: number } & Shown>();
  useEffect(() => {
    if (labelId === undefined) return;
    let isGone = false;
    store.load(labelId).then(
      (label) => !isGone && setLoaded({ id: labelId, version, label }),
      (error: Error) => !isGone && setLoaded({ id: labelId, version, problem: error.message }),
    );
    return () => {
      isGone = true;
    };
  }, [store, labelId, version]);
  if (labelId === undefined) return {};
  const ready = store.ready(labelId);
  if (ready) return { label: ready };
  return loaded?.id === labelId && loaded.version === version ? loaded : {};
}
