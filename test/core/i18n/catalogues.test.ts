import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';
import { editorMessageKeys, shortcuts, shortcutText, tools } from '@/lib/core/editor';
import { locales } from '@/lib/core/i18n/locales';
import type { Catalogue } from '@/lib/core/i18n/pseudo';
import { rules } from '@/lib/core/quality/rules';
import { gateCodes } from '@/lib/services/crowd/work';

const folder = path.join(projectFolder, 'messages');
const read = (file: string): Catalogue => JSON.parse(readFileSync(path.join(folder, file), 'utf8'));

function flatten(catalogue: Catalogue, prefix = ''): [string, string][] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : flatten(value, `${prefix}${key}.`),
  );
}

type Node = { type: number; value: string; options?: Record<string, { value: Node[] }>; children?: Node[] };
const SELECT = 5;
const PLURAL = 6;
const TAG = 8;

/** The names that a message takes, with the cases of its selects and its plurals. */
function placeholders(message: string): string[] {
  const found = new Set<string>();
  const visit = (nodes: readonly Node[]) => {
    for (const { type, value, options, children } of nodes) {
      if (type === TAG) found.add(`<${value}>`);
      else if (type === SELECT) found.add(`${value}: ${Object.keys(options ?? {}).sort()}`);
      else if (type === PLURAL) found.add(`${value}: plural`);
      else if (type >= 1 && type <= 4) found.add(value);
      for (const option of Object.values(options ?? {})) visit(option.value);
      visit(children ?? []);
    }
  };
  visit(new IntlMessageFormat(message, 'en').getAst() as unknown as Node[]);
  return [...found].sort();
}

/** The plural cases of each plural of a message. */
function pluralCases(message: string): string[][] {
  const found: string[][] = [];
  const visit = (nodes: readonly Node[]) => {
    for (const { type, options, children } of nodes) {
      if (type === PLURAL) found.push(Object.keys(options ?? {}));
      for (const option of Object.values(options ?? {})) visit(option.value);
      visit(children ?? []);
    }
  };
  visit(new IntlMessageFormat(message, 'en').getAst() as unknown as Node[]);
  return found;
}

/** "Version 2" is the same in several languages, and "3 points" in French. */
const sameWords = new Set([
  'consent.version',
  'canvas.measures.points',
  ...['point', 'points', 'drawn'].map((key) => `canvas.messages.${key}`),
]);

const english = new Map(flatten(read('en.json')));

it('has a catalogue for every language and no other', () => {
  expect(readdirSync(folder).sort()).toEqual(locales.map((locale) => `${locale}.json`).sort());
});

describe.each(locales.filter((locale) => locale !== 'en'))('%s', (locale) => {
  const own = new Map(flatten(read(`${locale}.json`)));

  it('has the keys of the English catalogue', () => {
    expect([...english.keys()].filter((key) => !own.has(key))).toEqual([]);
    expect([...own.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it('takes the same placeholders', () => {
    const wrong = [...own].filter(
      ([key, text]) =>
        JSON.stringify(placeholders(text)) !== JSON.stringify(placeholders(english.get(key) ?? '')),
    );
    expect(wrong).toEqual([]);
  });

  it('has every plural form of the language, and none that it does not have', () => {
    const forms = new Intl.PluralRules(locale).resolvedOptions().pluralCategories;
    const isRight = (cases: string[]) =>
      cases.includes('other') && cases.every((each) => /^=\d/.test(each) || forms.includes(each as 'other'));
    const needed = locale === 'ar' ? forms : [];
    const wrong = [...own].filter(([, text]) =>
      pluralCases(text).some((cases) => !isRight(cases) || needed.some((form) => !cases.includes(form))),
    );
    expect(wrong).toEqual([]);
  });

  it('is translated: hardly any longer text is the English one', () => {
    const same = [...own].filter(
      ([key, text]) => !sameWords.has(key) && text.length > 20 && text === english.get(key),
    );
    expect(same).toEqual([]);
  });
});

describe('the English catalogue', () => {
  const files = readdirSync(path.join(projectFolder, 'app'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => readFileSync(path.join(projectFolder, 'app', file), 'utf8'));
  const sources = files.join('\n');

  /** A file asks for a part of the catalogue and names the rest of the key. */
  function isUsedInFile(key: string): boolean {
    const parts = key.split('.');
    return parts.slice(1).some((_, index) => {
      const namespace = parts.slice(0, index + 1).join('.');
      const rest = parts.slice(index + 1).join('.');
      return files.some(
        (file) =>
          [`Translations('${namespace}')`, `Translations<'${namespace}'>`].some((text) =>
            file.includes(text),
          ) && file.includes(`'${rest}'`),
      );
    });
  }

  /** Keys are written out, with their namespace or without, or end in a part that is filled in. */
  function isUsed(key: string): boolean {
    const [, ...rest] = key.split('.');
    const short = rest.join('.');
    const asTemplates = [key, short].flatMap((name) => {
      const at = name.lastIndexOf('.');
      return at < 0 ? [] : [`\`${name.slice(0, at)}.\${`];
    });
    return (
      [`'${key}'`, `'${short}'`, ...asTemplates].some((text) => sources.includes(text)) || isUsedInFile(key)
    );
  }

  /** What the editor names by ids. */
  const ofEditor = [
    ...tools.flatMap(({ id }) => [`canvas.tools.${id}.name`, `canvas.tools.${id}.hint`]),
    ...shortcuts.map(({ id }) => `canvas.${shortcutText(id).key}`),
    ...editorMessageKeys.map((key) => `canvas.messages.${key}`),
  ];

  /** Keys that code puts together or reads from a table. */
  const computed = [
    ...ofEditor,
    ...['stored', 'storing', 'offline', 'signed-out', 'conflict'].map((kind) => `work.stored.${kind}`),
    ...['answered', 'released'].map((status) => `work.actions.${status}`),
    ...['work', 'exam', 'practice'].map((kind) => `work.submit.${kind}`),
    ...gateCodes.map((code) => `gates.${code}`),
    ...['own', 'others', 'plan'].map((source) => `terms.${source}`),
    ...['precision', 'recall', 'iou'].flatMap((name) => [
      `exam.${name}`,
      `exam.${name}Meaning`,
      `exam.${name}Bar`,
    ]),
    ...['consent', 'guide', 'practice', 'exam', 'work'].map((step) => `path.${step}`),
    ...['missing', 'agreed', 'outdated', 'withdrawn'].map((state) => `consent.${state}`),
    ...['correct', 'missed', 'extra', 'veryClose', 'closeEnough', 'notClose'].map((key) => `practice.${key}`),
    'errors.nameRefused',
    'errors.wrongPassword',
  ];

  it('has no key that no page uses', () => {
    expect([...english.keys()].filter((key) => !computed.includes(key) && !isUsed(key))).toEqual([]);
  });

  it('has a text for every gate and for the reason of every rule', () => {
    expect(gateCodes.filter((code) => !english.has(`gates.${code}`))).toEqual([]);
    expect(rules.filter(({ id }) => !english.has(`records.reasons.${id}`)).map(({ id }) => id)).toEqual([]);
  });

  it('has a text for every tool, shortcut and message of the editor', () => {
    expect(ofEditor.filter((key) => !english.has(key))).toEqual([]);
  });

  it('has a message only for what the editor or the canvas reports', () => {
    const folders = ['lib/core/editor', 'app/annotate/_canvas'];
    const code = folders.flatMap((name) =>
      readdirSync(path.join(projectFolder, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file) && file !== 'messages.ts')
        .map((file) => readFileSync(path.join(projectFolder, name, file), 'utf8')),
    );
    expect(editorMessageKeys.filter((key) => !code.some((text) => text.includes(`'${key}'`)))).toEqual([]);
  });

  it('has a text for every code that a service refuses with', () => {
    const services = readdirSync(path.join(projectFolder, 'lib/services'), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((file) => /^(crowd|access|accounts|assists|inference\/assists)\/.*\.ts$/.test(file))
      .map((file) => readFileSync(path.join(projectFolder, 'lib/services', file), 'utf8'))
      .join('\n');
    const codes = [...services.matchAll(/\bcode: '(\w+)'/g)]
      .map((match) => match[1] as string)
      // An issue of zod.
      .filter((code) => code !== 'custom');
    expect(codes.length).toBeGreaterThan(20);
    expect(
      codes.filter((code) =>
        [`errors.codes.${code}`, `gates.${code}`, `canvas.messages.${code}`].every(
          (key) => !english.has(key),
        ),
      ),
    ).toEqual([]);
  });
});
