import { byLicence, dependencies } from './licences';
import { reasonOf } from './reasons';

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
