import { describe, expect, it } from 'vitest';
import { findImportCycles, importsWithin, readSourceFiles } from './source-files';

/**
 * Which module may import which. Services may also import `lib/config`, `db` and all of `lib/core`. Every entry is in
 * use: a dependency that disappears is removed here, and a new one is a decision that a reviewer sees.
 */
const serviceImports: Record<string, string[]> = {
  activity: [],
  storage: [],
  observability: ['storage'],
  access: ['activity', 'observability'],
  jobs: ['access', 'observability', 'storage'],
  inference: ['jobs', 'observability', 'storage'],
  images: ['activity', 'inference', 'jobs', 'storage'],
  accounts: ['access', 'activity'],
  crowd: ['access', 'accounts', 'activity', 'images', 'inference', 'jobs', 'observability', 'storage'],
  projects: ['access', 'activity', 'crowd', 'jobs'],
  assists: ['access', 'crowd', 'inference', 'observability', 'storage'],
  curation: ['access', 'activity', 'crowd', 'images', 'inference', 'jobs', 'projects', 'storage'],
  datasets: ['access', 'activity', 'crowd', 'curation', 'images', 'inference', 'jobs', 'projects', 'storage'],
  backup: ['datasets', 'jobs', 'storage'],
  training: ['activity', 'crowd', 'datasets', 'inference', 'jobs', 'observability', 'storage'],
  evaluations: [
    'access',
    'activity',
    'crowd',
    'curation',
    'datasets',
    'images',
    'inference',
    'jobs',
    'projects',
    'storage',
    'training',
  ],
  invariants: ['crowd', 'storage'],
};

/** Single files in `lib/core` (errors, numbers as text, actors, limits) may be imported by every module of it. */
const coreImports: Record<string, string[]> = {
  geometry: [],
  i18n: [],
  mask: ['geometry'],
  schema: [],
  splits: [],
  'training-spec': [],
  quality: ['geometry', 'mask', 'schema'],
  editor: ['geometry', 'mask', 'quality', 'schema'],
  formats: ['geometry', 'mask', 'quality', 'schema', 'splits'],
  croissant: ['schema'],
  translations: ['formats', 'i18n', 'schema'],
  statistics: ['formats', 'mask', 'quality', 'schema', 'splits'],
  robustness: ['formats', 'quality', 'statistics'],
};

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
    folders: ['app'],
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

const files = readSourceFiles('lib', 'db', 'app', 'workers', 'bin');

const ringOf = (name: string) =>
  rings
    .flatMap((ring) => ring.folders.map((folder) => ({ ring, folder })))
    .filter(({ folder }) => name === folder || name.startsWith(`${folder}/`))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]?.ring;

describe.each([
  ['lib/services', serviceImports],
  ['lib/core', coreImports],
])('the modules of %s', (area, table) => {
  it('import exactly what the table says', () => {
    const actual = importsWithin(area, files);
    expect(Object.keys(actual).sort()).toEqual(Object.keys(table).sort());
    for (const [module, targets] of Object.entries(actual)) {
      expect(targets, `imports of ${module}`).toEqual([...(table[module] ?? [])].sort());
    }
  });

  it('have no import cycles', () => {
    expect(findImportCycles(table)).toEqual([]);
  });
});

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
