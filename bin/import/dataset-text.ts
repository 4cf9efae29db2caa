import type { ImportCounts } from '@/lib/services/datasets/import/import-counts';
import type { FormatGuess } from '@/lib/services/datasets/import/source-trees';
import { columns, dim, yellow } from '../terminal/text';

/** What the files were taken for and why, and what else they might be. */
export function guessText([best, ...others]: readonly FormatGuess[]): string {
  if (!best) return 'No label files of a known format: pictures only.';
  const also = others.map(({ format }) => `--format ${format}`).join(', ');
  return `${best.name}: ${best.because}.${also === '' ? '' : dim(` It may also be read with ${also}.`)}`;
}

export function countsText({ images, labels, reasons, notes, isNewSchema }: ImportCounts): string {
  const list = reasons.map(({ reason, count, first }) => [
    `  ${count} ×`,
    `${yellow(reason)} ${dim(`(first: ${first})`)}`,
  ]);
  return [
    ...(isNewSchema ? ["The dataset's schema is now that of the project."] : []),
    `Images: ${images.total} = ${images.accepted} accepted + ${images.duplicate} known + ${images.refused} refused${images.before > 0 ? ` + ${images.before} done before` : ''}`,
    `Labels: ${labels.total} = ${labels.written} written + ${labels.known} known + ${labels.leftOut} left out`,
    ...(list.length > 0 ? [columns(list)] : []),
    ...notes.map((note) => `  ${yellow(note)}`),
  ].join('\n');
}
