'use client';

import { useCallback, useEffect, useRef, useState, useTransition } from 'react';
import { type Planned, planOf } from './actions';

/** Until somebody has stopped choosing. */
const PAUSE_MS = 400;

/** The plan of what a form says, made anew when the form changes; an answer that comes too late is not shown. */
export function usePlan(slug: string) {
  const [planned, setPlanned] = useState<Planned>({});
  const [isOld, start] = useTransition();
  const holder = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const newest = useRef(0);
  const ask = useCallback(
    (pause: number) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        const form = holder.current?.querySelector('form');
        if (!form) return;
        newest.current += 1;
        const own = newest.current;
        start(async () => {
          const found = await planOf(slug, new FormData(form));
          if (own === newest.current) setPlanned(found);
        });
      }, pause);
    },
    [slug],
  );
  useEffect(() => {
    ask(0);
    return () => clearTimeout(timer.current);
  }, [ask]);
  return { ...planned, isOld, holder, changed: () => ask(PAUSE_MS) };
}
