/** The languages of the worker's pages, each by its own name. The English catalogue is the source of all others. */
export const languages = {
  en: 'English',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  fr: 'Français',
  de: 'Deutsch',
  id: 'Bahasa Indonesia',
  vi: 'Tiếng Việt',
  hi: 'हिन्दी',
  ar: 'العربية',
  'zh-CN': '简体中文',
  ja: '日本語',
} as const;

export type Locale = keyof typeof languages;

export const locales = Object.keys(languages) as Locale[];
export const defaultLocale: Locale = 'en';

/** English with longer, accented text. It is in no menu; the browser stories choose it by its cookie. */
export const pseudoLocale = 'en-XA';

export const readLocale = (value: unknown): Locale | null =>
  locales.find((locale) => locale === value) ?? null;

export const directionOf = (locale: string): 'ltr' | 'rtl' => (locale.startsWith('ar') ? 'rtl' : 'ltr');

/** The tags of an Accept-Language header, the preferred first. */
export function acceptedLanguages(header: string | null): string[] {
  const entries = (header ?? '').split(',').flatMap((entry) => {
    const [tag = '', ...parameters] = entry.trim().split(/\s*;\s*/);
    const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1);
    return /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(tag) && quality > 0 ? [{ tag, quality }] : [];
  });
  return entries.sort((a, b) => b.quality - a.quality).map(({ tag }) => tag);
}

const languageOf = (tag: string) => tag.toLowerCase().split('-')[0];

/** The first accepted language that there is a catalogue for: `pt-PT` gets `pt-BR`, `zh-TW` gets `zh-CN`. */
export function matchLocale(accepted: readonly string[]): Locale | null {
  for (const tag of accepted) {
    const exact = locales.find((locale) => locale.toLowerCase() === tag.toLowerCase());
    const found = exact ?? locales.find((locale) => languageOf(locale) === languageOf(tag));
    if (found) return found;
  }
  return null;
}

/** The region of the browser counts for numbers and dates where the language is the same: `en-GB` for English. */
export const formatLocaleOf = (locale: string, accepted: readonly string[]): string =>
  accepted.find((tag) => languageOf(tag) === languageOf(locale) && isSupported(tag)) ?? locale;

function isSupported(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** A time zone as a browser names it; null for anything that is none. */
export function readTimeZone(value: string | undefined): string | null {
  if (!value || !/^[A-Za-z0-9_+\-/]{1,60}$/.test(value)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** "inglés": the name of a language in the language of the reader; its own tag where that has no name. */
export function languageName(tag: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
