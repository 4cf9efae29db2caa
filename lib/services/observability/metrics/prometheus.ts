export type Labels = Record<string, string | number>;
export type Sample = [suffix: string, labels: Labels, value: number];

const escaped = (value: string | number) =>
  String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

/** One metric in the text format of Prometheus. */
export function family(
  name: string,
  type: 'gauge' | 'counter' | 'histogram',
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([suffix, labels, value]) => {
    const inside = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    return `${name}${suffix}${inside.length > 0 ? `{${inside.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

export const one = (value: number): Sample[] => [['', {}, value]];
