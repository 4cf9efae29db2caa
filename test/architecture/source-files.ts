import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '@/lib/config';

export interface SourceFile {
  /** Path from the project folder, with slashes. */
  name: string;
  text: string;
  /** Files and folders of the project that it imports, without extension. */
  imports: string[];
  /** The names that it imports from each of them; '*' for all. */
  importedNames: Map<string, string[]>;
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s([^;'"`]*?)from\s+['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Reads the TypeScript files in these folders. */
export const readSourceFiles = (...folders: string[]): SourceFile[] =>
  folders.flatMap((folder) =>
    readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readSource(`${folder}/${file.split(path.sep).join('/')}`)),
  );

/** Reads all code of the product; tests and benchmarks are not part of it. */
export const readProductSources = (): SourceFile[] => [
  ...readSourceFiles('lib', 'db', 'app', 'workers', 'bin'),
  readSource('proxy.ts'),
];

function readSource(name: string): SourceFile {
  const text = readFileSync(path.join(projectFolder, name), 'utf8');
  const importedNames = new Map<string, string[]>();
  for (const [, clause = '*', from, dynamic] of text.matchAll(IMPORT)) {
    const specifier = from ?? dynamic ?? '';
    const target = specifier.startsWith('@/')
      ? specifier.slice(2)
      : specifier.startsWith('.')
        ? path.posix.join(path.posix.dirname(name), specifier)
        : null;
    if (target === null) continue;
    importedNames.set(target, [...(importedNames.get(target) ?? []), ...namesIn(clause)]);
  }
  return { name, text, imports: [...importedNames.keys()], importedNames };
}

/** `{ a, type B as C }` imports `a` and `B`. */
function namesIn(clause: string): string[] {
  const braces = /\{([^}]*)\}/.exec(clause)?.[1];
  if (braces === undefined) return clause.includes('*') ? ['*'] : ['default'];
  return braces.split(',').flatMap((entry) => /^\s*(?:type\s+)?(\w+)/.exec(entry)?.[1] ?? []);
}

/** The folder below `area` that contains a path; null for single files and for paths elsewhere. */
export const moduleOf = (area: string, name: string): string | null =>
  new RegExp(`^${area}/([^/.]+)(?:/|$)`).exec(name)?.[1] ?? null;

/** The imports between the modules of an area, from the source. */
export function importsWithin(area: string, files: readonly SourceFile[]): Record<string, string[]> {
  const names = files.map(({ name }) => name).filter((name) => name.startsWith(`${area}/`));
  const isFolder = (module: string) => names.some((name) => name.startsWith(`${area}/${module}/`));
  const found = new Map<string, Set<string>>();
  for (const { name, imports } of files) {
    const from = moduleOf(area, name);
    if (from === null || !isFolder(from)) continue;
    const targets = found.get(from) ?? new Set();
    found.set(from, targets);
    for (const target of imports) {
      const to = moduleOf(area, target);
      if (to !== null && to !== from && isFolder(to)) targets.add(to);
    }
  }
  return Object.fromEntries([...found].map(([from, targets]) => [from, [...targets].sort()]));
}

/** Groups of modules that import each other, directly or through others. */
export function findImportCycles(table: Readonly<Record<string, readonly string[]>>): string[][] {
  const reachable = new Map(Object.keys(table).map((module) => [module, reachableFrom(table, module)]));
  const inCycle = (a: string, b: string) => reachable.get(a)?.has(b) && reachable.get(b)?.has(a);
  const cycles: string[][] = [];
  for (const module of Object.keys(table)) {
    if (cycles.some((cycle) => cycle.includes(module))) continue;
    const cycle = Object.keys(table).filter((other) => inCycle(module, other));
    if (cycle.length > 1) cycles.push(cycle);
  }
  return cycles;
}

function reachableFrom(table: Readonly<Record<string, readonly string[]>>, start: string): Set<string> {
  const found = new Set<string>();
  const next = [start];
  for (let module = next.pop(); module !== undefined; module = next.pop()) {
    for (const target of table[module] ?? []) {
      if (found.has(target)) continue;
      found.add(target);
      next.push(target);
    }
  }
  return found;
}
