import type { DatasetImage } from '../dataset';
import { stemOf } from '../names';

const CORE = /^[A-Za-z0-9-]+_\d{6}_\d{6}$/;
const NUMBER = /^\d{1,6}$/;

/** City, sequence and frame: "aachen_000001_000019". Images that go by number get their group, or the project, as city. */
export function coreName({ name, groupKey }: DatasetImage): string {
  const stem = stemOf(name).replace(/_(leftImg8bit|gtFine)$/, '');
  if (!NUMBER.test(stem)) return stem;
  const city = (groupKey ?? '').replace(/[^A-Za-z0-9-]/g, '') || 'tessera';
  return `${city}_${stem.padStart(6, '0')}_000000`;
}

export const cityOf = (core: string): string => core.slice(0, core.indexOf('_'));

export const coreNameProblem = (name: string): string | null =>
  CORE.test(stemOf(name))
    ? null
    : 'is not like aachen_000001_000019: a city without underscore and two numbers of six digits';
