import { coreModules, type ModuleRules, serviceModules } from '../../test/architecture/module-table';
import { findPublicFiles, readPurpose } from '../../test/architecture/public-files';
import { readProductSources, type SourceFile } from '../../test/architecture/source-files';

/** Describes the modules of an area: purpose, imports, and public files with the exports that other code uses. */
export function describeModules(): string {
  const files = readProductSources();
  return [
    `## lib/core\n\n${describeArea('lib/core', coreModules, files)}`,
    `## lib/services\n\n${describeArea('lib/services', serviceModules, files)}`,
  ].join('\n\n');
}

function describeArea(
  area: string,
  table: Record<string, ModuleRules>,
  files: readonly SourceFile[],
): string {
  const publicFiles = findPublicFiles(area, files);
  const sections = Object.entries(table).map(([module, { imports }]) => {
    const rows = [...(publicFiles.get(module) ?? [])]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, names]) => `| \`${file}\` | ${describeNames(names)} |`);
    return [
      `### ${module}`,
      readPurpose(`${area}/${module}`),
      `Imports: ${imports.map((name) => `\`${name}\``).join(', ') || 'none'}.`,
      ['| public file | exports used outside the module |', '|---|---|', ...rows].join('\n'),
    ].join('\n\n');
  });
  return sections.join('\n\n');
}

const describeNames = (names: ReadonlySet<string>): string =>
  [...names]
    .toSorted()
    .map((name) => (name === '*' ? 'the whole file' : `\`${name}\``))
    .join(', ');
