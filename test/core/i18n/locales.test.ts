import { describe, expect, it } from 'vitest';
import {
  acceptedLanguages,
  directionOf,
  formatLocaleOf,
  matchLocale,
  readLocale,
  readTimeZone,
} from '@/lib/core/i18n/locales';
import { pseudoText } from '@/lib/core/i18n/pseudo';

describe('the language of a page', () => {
  it.each([
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['pt-PT', 'pt-BR'],
    ['zh-TW,zh;q=0.9', 'zh-CN'],
    ['de;q=0.5, fr;q=0.9', 'fr'],
    ['sw, ar-EG;q=0.3', 'ar'],
    ['EN-gb', 'en'],
  ])('for a browser that asks for %s is %s', (header, locale) => {
    expect(matchLocale(acceptedLanguages(header))).toBe(locale);
  });

  it.each([[null], [''], ['*'], ['sw'], ['de;q=0'], ['<script>'], [';;,,q=1']])(
    'is not known from %s',
    (header) => {
      expect(matchLocale(acceptedLanguages(header))).toBeNull();
    },
  );

  it('is one of the catalogues, whatever a cookie holds', () => {
    expect(readLocale('hi')).toBe('hi');
    expect([readLocale('../en'), readLocale('en-XA'), readLocale(undefined)]).toEqual([null, null, null]);
  });

  it('runs from right to left in Arabic only', () => {
    expect([directionOf('ar'), directionOf('en'), directionOf('hi')]).toEqual(['rtl', 'ltr', 'ltr']);
  });

  it('takes the region of the browser for numbers, where the language is the same', () => {
    expect(formatLocaleOf('en', ['de', 'en-GB'])).toBe('en-GB');
    expect(formatLocaleOf('es', ['en-US'])).toBe('es');
  });
});

it('accepts time zones and nothing else', () => {
  expect(readTimeZone('Asia/Kolkata')).toBe('Asia/Calcutta');
  expect([readTimeZone('Mars/Base'), readTimeZone("'; x"), readTimeZone(undefined)]).toEqual([
    null,
    null,
    null,
  ]);
});

describe('the pseudo-locale', () => {
  it('lengthens text and leaves placeholders, plural forms and tags alone', () => {
    expect(pseudoText('Join {project} as <link>one</link>')).toBe('Jööîîñ {project} ååš <link>ööñéé</link>');
    expect(pseudoText('{count, plural, one {# item} other {# items}}')).toBe(
      '{count, plural, one {# îîtéém} other {# îîtéémš}}',
    );
  });
});
