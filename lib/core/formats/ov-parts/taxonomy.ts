import type { DatasetSchema } from '@/lib/core/schema/types';
import type { OptionValue } from '../format';
import { listPartPairs, nameWithin } from '../shared/part-pairs';
import type { Benchmark } from './tables';

/** Numbers of classes and parts in the maps. */
export interface Taxonomy {
  isBenchmark: boolean;
  /** In order of their numbers, from 0. */
  classes: readonly string[];
  parts: readonly { className: string; name: string }[];
  classIndex(className: string): number | undefined;
  partIndex(className: string, partId: string): number | undefined;
}

export const benchmarkParts = ({ parts }: Benchmark) =>
  parts.flatMap(([className, names]) => names.split(', ').map((name) => ({ className, name })));

/** The merged names of the benchmark for the fine parts of PASCAL-Part: "lfleg" and "rbleg" are legs. */
const MERGED: readonly (readonly [fine: RegExp, name: string])[] = [
  [/^[lr](wing|eye|ear|horn|hand|foot)$/, '$1'],
  [/^[fb]wheel$/, 'wheel'],
  [/^[lr]ebrow$/, 'eyebrow'],
  [/^[lr]larm$/, 'lower arm'],
  [/^[lr]uarm$/, 'upper arm'],
  [/^[lr](leg|[fb]?[lu]?leg)$/, 'leg'],
  [/^[lr][fb]pa$/, 'paw'],
  [/^[lr][fb]ho$/, 'hoof'],
  [/^[fb]liplate$/, 'license plate'],
  [/^(left|right)mirror$/, 'mirror'],
  [/^[hc]?frontside$/, 'front'],
  [/^[hc]?(left|right)side$/, 'side'],
  [/^[hc]?backside$/, 'back'],
  [/^[hc]?roofside$/, 'roof'],
];

const ALIASES: Readonly<Record<string, string>> = { table: 'diningtable', 'dining table': 'diningtable' };

const plain = (name: string): string => name.toLowerCase().replaceAll('_', ' ').trim();

function benchmarkTaxonomy(benchmark: Benchmark): Taxonomy {
  const parts = benchmarkParts(benchmark);
  const classes = new Map(benchmark.classes.map((name, index) => [name, index]));
  const places = new Map(parts.map(({ className, name }, index) => [`${className} ${name}`, index]));
  const classNameOf = (id: string): string => {
    const name = plain(id);
    return classes.has(name) ? name : (ALIASES[name] ?? name);
  };
  return {
    isBenchmark: true,
    classes: benchmark.classes,
    parts,
    classIndex: (id) => classes.get(classNameOf(id)),
    partIndex(className, partId) {
      const name = plain(nameWithin(className, partId)).replace(/ \d+$/, '');
      const merged = MERGED.find(([fine]) => fine.test(name));
      const names = merged ? [name, name.replace(...merged)] : [name];
      const found = names.map((each) => places.get(`${classNameOf(className)} ${each}`));
      return found.find((index) => index !== undefined);
    },
  };
}

function projectTaxonomy(schema: DatasetSchema): Taxonomy {
  const pairs = listPartPairs(schema);
  const places = new Map(pairs.map(({ className, id }, index) => [`${className} ${id}`, index]));
  const classes = new Map(schema.classes.map(({ id }, index) => [id, index]));
  return {
    isBenchmark: false,
    classes: schema.classes.map(({ id }) => id),
    parts: pairs,
    classIndex: (id) => classes.get(id),
    partIndex: (className, partId) => places.get(`${className} ${partId}`),
  };
}

/** The benchmark's numbers if it knows every class and part of the project, unless an option says otherwise. */
export function chooseTaxonomy(
  schema: DatasetSchema,
  benchmark: Benchmark,
  taxonomy: OptionValue | undefined,
): Taxonomy {
  const original = benchmarkTaxonomy(benchmark);
  if (taxonomy === 'benchmark') return original;
  const isKnown =
    schema.classes.every(({ id }) => original.classIndex(id) !== undefined) &&
    listPartPairs(schema).every(({ className, id }) => original.partIndex(className, id) !== undefined);
  return taxonomy !== 'project' && isKnown ? original : projectTaxonomy(schema);
}
