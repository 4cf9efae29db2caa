'use client';

import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';

type Announce = (text: string) => void;

const AnnouncerContext = createContext<Announce | undefined>(undefined);

/**
 * Reads out what changed. Everything in the workspace goes through the one live region, which outlives the items.
 * Undefined on pages without one.
 */
export const useAnnounce = (): Announce | undefined => useContext(AnnouncerContext);

export function Announcer({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ text: '', count: 0 });
  const announce = useMemo<Announce>(
    () => (text) => setSaid(({ count }) => ({ text, count: count + 1 })),
    [],
  );
  return (
    <AnnouncerContext value={announce}>
      {children}
      <p role="status" className="sr-only">
        {/* A repeated sentence is read again only if the text differs. */}
        {said.text}
        {said.count % 2 === 1 && ' '}
      </p>
    </AnnouncerContext>
  );
}
