import { useEffect, useRef, useState } from 'react';
import type { OutboxDriver, OutboxState } from '@/lib/annotator';
import { openItemOutbox } from './item-outbox';
import type { ItemProps } from './item-props';

export type FormDraft<T> = {
  readonly isReady: boolean;
  readonly value: T;
  readonly change: (value: T) => void;
  readonly outbox: OutboxState | undefined;
  readonly driver: OutboxDriver | undefined;
};

/** The draft of a form: `read` must take anything that was ever stored, `write` gives one text per value. */
export function useFormOutbox<T>(
  { item, store, onOutbox }: ItemProps,
  read: (document: unknown) => T,
  write: (value: T) => string,
): FormDraft<T> {
  const [value, setValue] = useState<T>(() => read(item.answer ?? item.draft?.document));
  const [outbox, setOutbox] = useState<OutboxState>();
  const [driver, setDriver] = useState<OutboxDriver>();
  const codec = useRef({ read, write });

  // biome-ignore lint/correctness/useExhaustiveDependencies: an item is opened once; the parent's key opens it anew.
  useEffect(() => {
    if (item.state !== 'open') return;
    let isGone = false;
    let opened: OutboxDriver | undefined;
    const adopt = (text: string) => setValue(codec.current.read(text === '' ? undefined : JSON.parse(text)));
    void openItemOutbox({
      lease: item.leaseId,
      store,
      draft: item.draft,
      canonical: (document) => codec.current.write(codec.current.read(document)),
      adopt,
      changed: (state) => !isGone && setOutbox(state),
    }).then((made) => {
      opened = made;
      if (isGone) return;
      if (made.state.pending) adopt(made.state.pending.document);
      setOutbox(made.state);
      setDriver(made);
      onOutbox(made);
    });
    return () => {
      isGone = true;
      opened?.flush();
      onOutbox(undefined);
    };
  }, []);

  return {
    isReady: item.state !== 'open' || driver !== undefined,
    value,
    change: (next) => {
      setValue(next);
      driver?.edited(write(next));
    },
    outbox,
    driver,
  };
}
