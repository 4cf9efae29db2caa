import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';
import { pseudoLocale } from '@/lib/core/i18n/locales';
import { type Catalogue, pseudoCatalogue } from '@/lib/core/i18n/pseudo';

const read = (locale: string): Catalogue =>
  JSON.parse(readFileSync(path.join(projectFolder, 'messages', `${locale}.json`), 'utf8'));

const texts = (catalogue: Catalogue): string[] =>
  Object.values(catalogue).flatMap((value) => (typeof value === 'string' ? [value] : texts(value)));

const ofWorkspace = (catalogue: Catalogue): string[] =>
  ['work', 'canvas', 'form'].flatMap((namespace) => texts(catalogue[namespace] as Catalogue));

/** The text of the workspace in another language, by its English text. */
export function textIn(locale: string): (english: string) => string {
  const source = ofWorkspace(read('en'));
  const own = ofWorkspace(locale === pseudoLocale ? pseudoCatalogue(read('en')) : read(locale));
  return (english) => {
    const text = own[source.indexOf(english)];
    if (text === undefined) throw new Error(`The English catalogue has no text "${english}".`);
    return text;
  };
}
