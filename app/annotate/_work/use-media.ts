import { useSyncExternalStore } from 'react';

/** Whether a media query matches now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(query).matches,
    () => false,
  );
}

/** A phone or an upright tablet, as the breakpoint `wide` in globals.css: tools at the bottom, the panel as a sheet. */
export const useIsNarrow = (): boolean => useMedia('(width < 56.25rem)');
