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

export interface Dependency {
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
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
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
      licence: entry.license ?? builds.get(name) ?? 'unknown',
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
