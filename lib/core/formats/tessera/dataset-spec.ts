/** A class as a panoptic-parts specification lists it. */
export interface SpecClass {
  name: string;
  parts: readonly string[];
  hasInstances: boolean;
  colour: readonly [number, number, number];
  /** Numbers in the files that mean one part: several wheels. */
  counted?: Readonly<Record<string, readonly number[]>>;
}

/** The YAML that the panoptic-parts tools read; the place of a name is its number, from 1. */
export function datasetSpec(name: string, classes: readonly SpecClass[]): Uint8Array {
  const list = (values: readonly unknown[]) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`;
  const counted = classes.filter((entry) => entry.counted && Object.keys(entry.counted).length > 0);
  const lines = [
    "version: '2.0'",
    `name: ${JSON.stringify(name)}`,
    'scene_class2part_classes:',
    ...classes.map((entry) => `  ${JSON.stringify(entry.name)}: ${list(entry.parts)}`),
    `scene_classes_with_instances: ${list(classes.filter((entry) => entry.hasInstances).map((entry) => entry.name))}`,
    'scene_class2color:',
    ...classes.map((entry) => `  ${JSON.stringify(entry.name)}: ${list(entry.colour)}`),
    ...(counted.length > 0 ? ['countable_pids_groupings:'] : []),
    ...counted.flatMap((entry) => [
      `  ${JSON.stringify(entry.name)}:`,
      ...Object.entries(entry.counted ?? {}).map(
        ([part, numbers]) => `    ${JSON.stringify(part)}: ${list(numbers)}`,
      ),
    ]),
  ];
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}
