import { useEffect, useState } from 'react';
import type { ItemProps } from './item-props';

/** The value of a form in the store of the batch. `read` takes anything that was ever stored. */
export function useFormDraft<T>(
  { session, item }: ItemProps,
  read: (document: unknown) => T,
  write: (value: T) => string,
): { readonly value: T; readonly change: (value: T) => void } {
  const lease = item.leaseId;
  const [value, setValue] = useState<T>(() => read(item.answer ?? session.document(lease)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is the same function for the life of a form.
  useEffect(() => {
    session.adopters.set(lease, (document) => setValue(read(document)));
    return () => void session.adopters.delete(lease);
  }, [session, lease]);
  const change = (next: T) => {
    setValue(next);
    session.edit(lease, write(next));
  };
  return { value, change };
}
