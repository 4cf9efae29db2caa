import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { coreModules, type ModuleRules, serviceModules } from './module-table';
import { findPublicFiles, readPurpose } from './public-files';
import { findImportCycles, importsWithin, readProductSources } from './source-files';

/** Outside `lib`, from the inside out. */
const rings = [
  { name: 'core', folders: ['lib/core'], canImport: ['core'] },
  { name: 'generated scenes', folders: ['lib/demo/scenes'], canImport: ['generated scenes', 'core'] },
  { name: 'configuration', folders: ['lib/config'], canImport: ['configuration', 'core'] },
  { name: 'database', folders: ['db'], canImport: ['database', 'configuration', 'core'] },
  {
    name: 'services',
    folders: ['lib/services'],
    canImport: ['services', 'database', 'configuration', 'core'],
  },
  {
    name: 'demo',
    folders: ['lib/demo'],
    canImport: ['demo', 'generated scenes', 'services', 'database', 'configuration', 'core'],
  },
  { name: 'design system', folders: ['app/_ui'], canImport: ['design system', 'core'] },
  {
    name: 'job handlers',
    folders: ['workers'],
    canImport: ['job handlers', 'demo', 'generated scenes', 'services', 'database', 'configuration', 'core'],
  },
  {
    name: 'pages and API',
    folders: ['app', 'proxy.ts'],
    canImport: ['pages and API', 'design system', 'demo', 'services', 'database', 'configuration', 'core'],
  },
  {
    name: 'command line',
    folders: ['bin'],
    canImport: ['command line', 'job handlers', 'demo', 'services', 'database', 'configuration', 'core'],
  },
];

/** What must not appear in pure code: clock, random numbers, machine, browser. */
const impure = [
  /from 'node:/,
  /\bprocess\.(?!stdin)/,
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\bwindow\./,
  /\bdocument\.(?:create|query|get|body)/,
  /from 'react/,
];

const files = readProductSources();

const ringOf = (name: string) =>
  rings
    .flatMap((ring) => ring.folders.map((folder) => ({ ring, folder })))
    .filter(({ folder }) => name === folder || name.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]?.ring;

describe.each([
  ['lib/services', serviceModules],
  ['lib/core', coreModules],
])('the modules of %s', (area, table) => {
  it('import exactly what the table says', () => {
    const actual = importsWithin(area, files);
    expect(Object.keys(actual).sort()).toEqual(Object.keys(table).sort());
    for (const [module, targets] of Object.entries(actual)) {
      expect(targets, `imports of ${module}`).toEqual([...(table[module]?.imports ?? [])].sort());
    }
  });

  it('have no import cycles', () => {
    expect(findImportCycles(importsOf(table))).toEqual([]);
  });

  it('are imported from outside exactly through their public files', () => {
    const used = findPublicFiles(area, files);
    for (const [module, { publicFiles }] of Object.entries(table)) {
      const declared = Object.entries(publicFiles).flatMap(([folder, names]) =>
        names.split(' ').map((name) => path.posix.join(folder, name)),
      );
      expect([...(used.get(module)?.keys() ?? [])].sort(), `public files of ${module}`).toEqual(
        declared.sort(),
      );
    }
  });

  it.each(Object.keys(table))('%s states its purpose in README.md or index.ts', (module) => {
    expect(readPurpose(`${area}/${module}`)).toMatch(/^[A-Z].*[^:,]\.$/);
  });
});

const importsOf = (table: Record<string, ModuleRules>) =>
  Object.fromEntries(Object.entries(table).map(([module, { imports }]) => [module, imports]));

it('a cycle is recognized', () => {
  expect(findImportCycles({ a: ['b'], b: ['c'], c: ['a', 'd'], d: [], e: ['a'], f: ['f'] })).toEqual([
    ['a', 'b', 'c'],
  ]);
});

describe('the rings', () => {
  it('contain every source file', () => {
    expect(files.length).toBeGreaterThan(1000);
    expect(files.filter(({ name }) => !ringOf(name)).map(({ name }) => name)).toEqual([]);
  });

  it('have no import that points outwards', () => {
    const outward = files.flatMap(({ name, imports }) =>
      imports.flatMap((target) => {
        const from = ringOf(name);
        const to = ringOf(target);
        return !from || !to || from.canImport.includes(to.name)
          ? []
          : [`${name} (${from.name}) imports ${target}`];
      }),
    );
    expect(outward).toEqual([]);
  });

  it('keep clock, random numbers, machine and browser out of the pure code', () => {
    const found = files
      .filter(({ name }) => ['core', 'generated scenes'].includes(ringOf(name)?.name ?? ''))
      .flatMap(({ name, text }) =>
        impure.filter((pattern) => pattern.test(text)).map((pattern) => `${name}: ${pattern}`),
      );
    expect(found).toEqual([]);
  });
});

it('only the inference module executes ONNX models', () => {
  const users = files.filter(
    ({ name, text }) => name.startsWith('lib/') && text.includes("'onnxruntime-node'"),
  );
  expect(users.length).toBeGreaterThan(0);
  expect(
    users.filter(({ name }) => !name.startsWith('lib/services/inference/')).map(({ name }) => name),
  ).toEqual([]);
});
