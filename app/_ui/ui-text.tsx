'use client';

import { createContext, useContext } from 'react';

/** The few words that components of the design system say by themselves. */
export interface UiText {
  cancel: string;
  close: string;
  optional: string;
  /** With `{title}`. */
  enlarge: string;
  /** With `{keys}`. */
  keysTooEarly: string;
}

const UiTextContext = createContext<UiText>({
  cancel: 'Cancel',
  close: 'Close',
  optional: 'optional',
  enlarge: 'Enlarge: {title}',
  keysTooEarly: '{keys}: pressed too early, without effect. Press again.',
});

export const UiTextProvider = UiTextContext.Provider;
export const useUiText = () => useContext(UiTextContext);

/** The word "optional" behind a label. A component, because server components use `Field` too. */
export function OptionalMark() {
  return <span className="ms-1 font-normal text-ink-3">{useUiText().optional}</span>;
}
