import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';

/** Rings from the inside out. A module belongs to the first ring that names it or a folder it lies in. */
const rings = [
  {
    name: 'pure',
    folders: [
      'lib/geometry',
      'lib/mask',
      'lib/schema',
      'lib/annotator',
      'lib/quality',
      'lib/formats',
      'lib/derive',
      'lib/evaluation',
      'lib/splits',
      'lib/training/spec',
      'lib/statistics',
      'lib/charts',
      'lib/demo/scenes',
      'lib/format',
      'lib/i18n',
      'lib/errors',
      'lib/ingest/limits',
    ],
    mayImport: ['pure'],
  },
  { name: 'data', folders: ['db'], mayImport: ['data', 'pure'] },
  { name: 'services', folders: ['lib'], mayImport: ['services', 'data', 'pure'] },
  { name: 'design system', folders: ['app/_ui'], mayImport: ['design system', 'pure'] },
  { name: 'jobs', folders: ['workers'], mayImport: ['jobs', 'services', 'data', 'pure'] },
  { name: 'pages', folders: ['app'], mayImport: ['pages', 'design system', 'services', 'data', 'pure'] },
  { name: 'command', folders: ['bin'], mayImport: ['command', 'jobs', 'services', 'data', 'pure'] },
] as const;

/** What must not appear in the pure ring: the clock, chance, the machine, the browser. */
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

function sourceFiles(folder: string): string[] {
  return readdirSync(path.join(projectFolder, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => path.relative(projectFolder, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('node_modules'));
}

function ringOf(file: string) {
  const module = file.replace(/\.tsx?$/, '');
  return rings.find((ring) =>
    ring.folders.some((folder) => module === folder || module.startsWith(`${folder}/`)),
  );
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(?!type\b)[^;'"]*?from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

function importedFiles(file: string): string[] {
  const text = readFileSync(path.join(projectFolder, file), 'utf8');
  return [...text.matchAll(IMPORT)].flatMap((match) => {
    const target = match[1] ?? match[2] ?? '';
    if (target.startsWith('@/')) return [target.slice(2)];
    if (target.startsWith('.')) return [path.normalize(path.join(path.dirname(file), target))];
    return [];
  });
}

const files = ['lib', 'db', 'app', 'workers', 'bin'].flatMap(sourceFiles);

describe('the rings of the house', () => {
  it('reads a plausible number of files', () => {
    expect(files.length).toBeGreaterThan(100);
  });

  it('has every source file in a ring', () => {
    expect(files.filter((file) => !ringOf(file))).toEqual([]);
  });

  it('has no import that points outwards', () => {
    const outward = files.flatMap((file) =>
      importedFiles(file).flatMap((target) => {
        const from = ringOf(file);
        const to = ringOf(target);
        if (!from || !to || (from.mayImport as readonly string[]).includes(to.name)) return [];
        return [`${file} (${from.name}) imports ${target} (${to.name})`];
      }),
    );
    expect(outward).toEqual([]);
  });

  it('keeps clock, chance, machine and browser out of the pure ring', () => {
    const found = files
      .filter((file) => ringOf(file)?.name === 'pure')
      .flatMap((file) => {
        const text = readFileSync(path.join(projectFolder, file), 'utf8');
        return impure.filter((pattern) => pattern.test(text)).map((pattern) => `${file}: ${pattern}`);
      });
    expect(found).toEqual([]);
  });
});
