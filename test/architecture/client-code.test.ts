import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '@/lib/config';
import { readSourceFiles } from './source-files';

/**
 * A client component that imports a value from a module of the server pulls PostgreSQL and Node.js into the browser
 * bundle, which breaks the production build. Type imports are erased, and server actions stay on the server.
 */
const IMPORT = /(?:^|\n)(?:import|export) (?!type )([^;'"]*?)(?:from )?'([^']+)';/g;
const SERVER_PACKAGE = /^(?:node:|pg(?:-boss)?$|drizzle-orm|sharp$|onnxruntime-node$)/;

interface Module {
  isClient: boolean;
  files: string[];
  serverPackages: string[];
}

const modules = new Map<string, Module>();

function readModule(name: string): Module {
  const known = modules.get(name);
  if (known) return known;
  const text = readFileSync(path.join(projectFolder, name), 'utf8');
  const specifiers = /^'use server'/.test(text) ? [] : valueImports(text);
  const read: Module = {
    isClient: /^(?:\/\*[\s\S]*?\*\/\s*)?'use client'/.test(text),
    files: specifiers.flatMap((specifier) => findFile(name, specifier) ?? []),
    serverPackages: specifiers.filter((specifier) => SERVER_PACKAGE.test(specifier)),
  };
  modules.set(name, read);
  return read;
}

const valueImports = (text: string): string[] =>
  [...text.matchAll(IMPORT)]
    .filter(([, names]) => !/^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names as string))
    .map(([, , specifier]) => specifier as string);

function findFile(from: string, specifier: string): string | null {
  const base = specifier.startsWith('@/')
    ? specifier.slice(2)
    : specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(from), specifier)
      : null;
  if (base === null) return null;
  const candidates = [`${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`];
  return candidates.find((name) => existsSync(path.join(projectFolder, name))) ?? null;
}

/** The chain of imports from a client component to a package of the server, or null. */
function chainToServer(start: string): string[] | null {
  const importedBy = new Map<string, string | null>([[start, null]]);
  for (const name of importedBy.keys()) {
    const { files, serverPackages } = readModule(name);
    if (serverPackages[0]) {
      const chain = [serverPackages[0]];
      for (let at: string | null = name; at !== null; at = importedBy.get(at) ?? null) chain.unshift(at);
      return chain;
    }
    for (const file of files) if (!importedBy.has(file)) importedBy.set(file, name);
  }
  return null;
}

it('no client component brings the database or Node.js into the browser', () => {
  const clients = readSourceFiles('app')
    .map(({ name }) => name)
    .filter((name) => readModule(name).isClient);
  expect(clients.length).toBeGreaterThan(100);
  expect(clients.flatMap((name) => chainToServer(name)?.join(' → ') ?? [])).toEqual([]);
});
