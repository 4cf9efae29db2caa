import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';

/**
 * Where workers read translated pages. The annotator (`_work`, `_canvas`, `_attributes`) is listed as soon as its text
 * is in the catalogue.
 */
const translated = [
  'app/(public)',
  'app/annotate/[project]',
  'app/annotate/_appeal',
  'app/annotate/_home',
  'app/annotate/_path',
  'app/annotate/_score',
  'app/annotate/_terms',
  'app/annotate/account',
  'app/annotate/batch',
  'app/annotate/history',
  'app/annotate/signed-in',
  'app/annotate/start',
  'app/annotate/_work/difference-map.tsx',
  'app/annotate/_work/practice-feedback.tsx',
  'app/annotate/error.tsx',
  'app/annotate/page.tsx',
  'app/not-found.tsx',
  'app/_account/account-panels.tsx',
  'app/_account/password-form.tsx',
  'app/_account/profile-form.tsx',
  'app/_account/revoke-others.tsx',
  'app/_account/session-table.tsx',
  'app/_shell/plain-page.tsx',
  'app/_shell/worker-shell.tsx',
];

/** The same in every language. */
const names = new Set(['Tessera', 'CSV', 'JSON']);

const files = readdirSync(path.join(projectFolder, 'app'), { recursive: true, encoding: 'utf8' })
  .map((file) => `app/${file.split(path.sep).join('/')}`)
  .filter((file) => file.endsWith('.tsx'))
  .filter((file) => translated.some((each) => file === each || file.startsWith(`${each}/`)));

const spoken = '(?:aria-label|alt|title|placeholder|label|hint|description|confirm|caption|term)';

/** Text between tags, and literals of attributes that people read or hear. Comments are left out. */
function hardCoded(source: string): string[] {
  const text = source
    .replace(/\{\/\*[\s\S]*?\*\/\}/g, '')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  // A tag ends in a name, a quote, a brace or a slash; an arrow or a comparison does not.
  const between = [...text.matchAll(/(?:[\w"'}\])]|\/)>([^<>{}=;]*[A-Za-z]{2}[^<>{}=;]*)(?=[<{])/g)].map(
    (match) => match[1]?.trim() ?? '',
  );
  const attributes = [...text.matchAll(new RegExp(`\\s${spoken}=(?:"([^"]+)"|\\{\`([^\`]+)\`\\})`, 'g'))].map(
    (match) => (match[1] ?? match[2] ?? '').replace(/\$\{[^}]*\}/g, '').trim(),
  );
  const properties = [...text.matchAll(/\b(?:title|label|term): '([^']+)'/g)].map((match) => match[1] ?? '');
  const choices = [...text.matchAll(/[?:]\s*'([A-Z][^']*)'/g)].map((match) => match[1] ?? '');
  return [...between, ...attributes, ...properties, ...choices].filter(
    (found) => /[A-Za-z]{2}/.test(found) && !names.has(found) && !/^[|&?:,).\s]|\w+\(/.test(found),
  );
}

describe('text of translated pages', () => {
  it('is looked for in every page', () => {
    expect(files.length).toBeGreaterThan(40);
  });

  it.each(files)('comes from the catalogue: %s', (file) => {
    expect(hardCoded(readFileSync(path.join(projectFolder, file), 'utf8'))).toEqual([]);
  });

  it.each([
    ['<p>Read this</p>', 'Read this'],
    ['<p className="a">Read {name}</p>', 'Read'],
    ['<Button aria-label="Close it">{x}</Button>', 'Close it'],
    ["{ kind: 'a', term: 'exam date' }", 'exam date'],
    ["{isLate ? 'Too late' : t('early')}", 'Too late'],
    ['<Stat\n  label={`Paid $' + '{x}`} />', 'Paid'],
  ])('would be found in %s', (source, found) => {
    expect(hardCoded(source)).toEqual([found]);
  });
});
