export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

const SHOWN = 5;

export const damagedText = (damaged: readonly string[]): string[] =>
  damaged.length === 0
    ? []
    : [
        `${damaged.length} files of the store were missing or damaged when the backup was made:`,
        ...damaged.slice(0, SHOWN).map((name) => `  ${name}`),
        ...(damaged.length > SHOWN ? [`  and ${damaged.length - SHOWN} more`] : []),
      ];
