import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';

/** Where workers read translated pages, and the code of the editor, whose messages the pages translate. */
const translated = [
  'app/(annotator)',
  'app/(public)',
  'app/annotate',
  'app/not-found.tsx',
  'app/_account/account-panels.tsx',
  'app/_account/password-form.tsx',
  'app/_account/profile-form.tsx',
  'app/_account/revoke-others.tsx',
  'app/_account/session-table.tsx',
  'app/_i18n/page-error.tsx',
  'app/_i18n/translated-error.tsx',
  'app/_shell/plain-page.tsx',
  'app/_shell/worker-shell.tsx',
  'lib/core/editor',
];

/** What is wrong with a stored document: for the log and for callers of the API. */
const forPrograms = new Set(['lib/core/editor/document/parse.ts']);

/** The same in every language. */
const names = new Set(['Tessera', 'CSV', 'JSON', 'Shift+Enter']);

const files = ['app', 'lib/core/editor']
  .flatMap((folder) =>
    readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.split(path.sep).join('/')}`,
    ),
  )
  .filter((file) => /\.tsx?$/.test(file) && !forPrograms.has(file))
  .filter((file) => translated.some((each) => file === each || file.startsWith(`${each}/`)));

const spoken = '(?:aria-label|alt|title|placeholder|label|hint|description|confirm|caption|term)';

/** A sentence or a title of several words, wherever it is written. */
const sentence = /^(?:\S+ )*?[A-Z][a-z’']*(?: \S+)+$/;

/**
 * Text between tags, literals of attributes that people read or hear, and sentences in any other literal, such as the
 * argument of a toast. Comments and errors are left out: errors have a code that
 * pages translate.
 */
function hardCoded(source: string, isMarkup = true): string[] {
  const code = source
    .replace(/\{\/\*[\s\S]*?\*\/\}/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/(?:new \w*(?:Error|Refused|UndecodableImage)|conflict|invalid)\([^)]*\)/g, '');
  const text = isMarkup ? code : '';
  // A tag ends in a name, a quote, a brace or a slash; an arrow or a comparison does not.
  const between = [...text.matchAll(/(?:[\w"'}\])]|\/)>([^<>{}=;]*[A-Za-z]{2}[^<>{}=;]*)(?=[<{])/g)].map(
    (match) => match[1]?.trim() ?? '',
  );
  const attributes = [...text.matchAll(new RegExp(`\\s${spoken}=(?:"([^"]+)"|\\{\`([^\`]+)\`\\})`, 'g'))].map(
    (match) => (match[1] ?? match[2] ?? '').replace(/\$\{[^}]*\}/g, '…').trim(),
  );
  const properties = [...text.matchAll(/\b(?:title|label|term): '([^']+)'/g)].map((match) => match[1] ?? '');
  const sentences = [...code.matchAll(/'([^'\n]+)'|`([^`]+)`/g)]
    .map((match) => (match[1] ?? match[2] ?? '').replace(/\$\{[^}]*\}/g, '…').trim())
    .filter((literal) => sentence.test(literal));
  const choices = [...text.matchAll(/[?:]\s*'([A-Z][^']*)'/g)].map((match) => match[1] ?? '');
  const found = new Set([...between, ...attributes, ...properties, ...choices, ...sentences]);
  return [...found].filter(
    (found) => /[A-Za-z]{2}/.test(found) && !names.has(found) && !/^[|&?:,).\s]|\w+\(/.test(found),
  );
}

describe('text of translated pages', () => {
  it('is looked for in every page', () => {
    expect(files.length).toBeGreaterThan(150);
  });

  it.each(files)('comes from the catalogue: %s', (file) => {
    const source = readFileSync(path.join(projectFolder, file), 'utf8');
    expect(hardCoded(source, file.endsWith('.tsx'))).toEqual([]);
  });

  it.each([
    ['<p>Read this</p>', 'Read this'],
    ['<p className="a">Read {name}</p>', 'Read'],
    ['<Button aria-label="Close it">{x}</Button>', 'Close it'],
    ["{ kind: 'a', term: 'exam date' }", 'exam date'],
    ["{isLate ? 'Too late' : t('early')}", 'Too late'],
    ["toast.error('The keys are not stored.')", 'The keys are not stored.'],
    ['const text = `Image $' + '{n} of $' + '{total}`;', 'Image … of …'],
    ["<Field placeholder={'Your name'} />", 'Your name'],
    ['<Stat\n  label={`Paid $' + '{x}`} />', 'Paid …'],
  ])('would be found in %s', (source, found) => {
    expect(hardCoded(source)).toEqual([found]);
  });
});
