'use client';

import { createContext, type ReactNode, useContext, useState } from 'react';
import { type ActionId, KeyChoices, keyText, type Platform, withChoices } from '@/lib/annotator';

/** Where this browser keeps the keys that a person chose. */
const STORED_AS = 'tessera-keys';

type Keys = { readonly choices: KeyChoices; readonly choose: (choices: KeyChoices) => void };

const KeysContext = createContext<Keys>({ choices: {}, choose: () => undefined });

/** The person's own keys, for everything on the page that names or hears a key. */
export function KeysProvider({ children }: { children: ReactNode }) {
  const [choices, setChoices] = useState(readChoices);
  const choose = (next: KeyChoices) => {
    setChoices(next);
    window.localStorage.setItem(STORED_AS, JSON.stringify(next));
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

function readChoices(): KeyChoices {
  try {
    return KeyChoices.safeParse(JSON.parse(window.localStorage.getItem(STORED_AS) ?? '{}')).data ?? {};
  } catch {
    return {};
  }
}
