import { conflict } from '@/lib/core/errors';
import { defaultPolicy, Policy } from '@/lib/core/quality/policy';

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
  const parsed = Policy.safeParse(Object.fromEntries(merged));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw conflict(
    `The policy of this project is not valid (${issue?.path.join('.')}: ${issue?.message}). A curator has to correct it before the work can go on.`,
    { gate: 'policy', code: 'brokenPolicy' },
  );
}
