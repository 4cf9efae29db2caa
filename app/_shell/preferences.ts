/** What the reader chose about the page itself; cookies, so that the server draws it right the first time. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = 'tessera-theme';
export const sidebarCookie = 'tessera-sidebar';

export const readTheme = (value: string | undefined): Theme =>
  themes.find((theme) => theme === value) ?? 'system';

const oneYear = 365 * 86_400;

/** `value` must be one of our own words: it is written without escaping. */
export const preferenceCookie = (name: string, value: string) =>
  `${name}=${value}; path=/; max-age=${oneYear}; samesite=lax`;
