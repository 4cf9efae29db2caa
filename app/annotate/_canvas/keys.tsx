'use client';

import { useTranslations } from 'next-intl';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { toast } from '@/app/_ui/toasts';
import { type ActionId, type KeyChoices, keyText, type Platform, withChoices } from '@/lib/core/editor';
import { keepKeys } from './keep-keys';

type Keys = { readonly choices: KeyChoices; readonly choose: (choices: KeyChoices) => void };

const KeysContext = createContext<Keys>({ choices: {}, choose: () => undefined });

/** The person's own keys, for everything on the page that names or hears a key. */
export function KeysProvider({ stored, children }: { stored: KeyChoices; children: ReactNode }) {
  const t = useTranslations('canvas.sheet');
  const [choices, setChoices] = useState(stored);
  const choose = async (next: KeyChoices) => {
    setChoices(next);
    const isKept = await keepKeys(next).catch(() => false);
    if (!isKept) toast.error(t('notStored'));
  };
  return <KeysContext.Provider value={{ choices, choose }}>{children}</KeysContext.Provider>;
}

export const useKeys = () => useContext(KeysContext);

/** Names the first key of an action as a person reads it. */
export function useKeyFor(): (action: ActionId) => string {
  const list = withChoices(useKeys().choices);
  return (action) => {
    const [key] = list.find(({ id }) => id === action)?.keys ?? [];
    return key === undefined ? '' : keyText(key, platform());
  };
}

export function platform(): Platform {
  return /Mac|iP(hone|ad)/.test(navigator.userAgent) ? 'mac' : 'other';
}
