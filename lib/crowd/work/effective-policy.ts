import { Policy } from '@/lib/quality/policy';
import { defaultPolicy } from '@/lib/quality/default-policy';

type Stored = Record<string, unknown>;

/** Tessera's numbers, where the project says nothing else, and the project's, where the stage says nothing else. */
export function effectivePolicy(project: Stored, stage: Stored): Policy {
  const merged = Object.entries(defaultPolicy).map(([name, preset]) => {
    const given = [project[name], stage[name]].filter((value) => value !== undefined);
    return [
      name,
      typeof preset === 'object' ? Object.assign({}, preset, ...given) : (given.at(-1) ?? preset),
    ];
  });
  return Policy.parse(Object.fromEntries(merged));
}
